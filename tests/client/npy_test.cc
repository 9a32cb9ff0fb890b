#include "client/npy.h"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "client/npy_reader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;

// A file of version 1.0 whose header is not padded.
std::string File(const std::string& descr, const std::string& order,
                 const std::string& shape, const std::string& elements) {
  const std::string header = "{'descr': '" + descr +
                             "', 'fortran_order': " + order +
                             ", 'shape': " + shape + "}\n";
  return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) +
         '\0' + header + elements;
}

absl::StatusOr<Tensor> Read(const std::string& file,
                            const NpyReadOptions& options = {}) {
  std::istringstream in(file);
  return ReadNpy(in, options);
}

std::string ErrorOf(const std::string& file,
                    const NpyReadOptions& options = {}) {
  return std::string(Read(file, options).status().message());
}

TEST(ReadNpy, ReadsAFileThatNumpyWrote) {
  // numpy.save(file, numpy.array([[1, -2], [3, 4]], numpy.int16))
  const auto tensor = Read(
      std::string("\x93NUMPY\x01\0\x76\0", 10) +
      "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2), }" +
      std::string(58, ' ') + "\n" + std::string("\1\0\xfe\xff\3\0\4\0", 8));
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_EQ(tensor->dtype, DType::kInt16);
  EXPECT_THAT(tensor->shape, ElementsAre(2, 2));
  EXPECT_THAT(ElementsOf<int16_t>(*tensor), ElementsAre(1, -2, 3, 4));
}

TEST(ReadNpy, ReadsVersions2And3) {
  const std::string header =
      "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}\n";
  for (const char version : {'\x02', '\x03'}) {
    const auto tensor = Read(std::string("\x93NUMPY") + version + '\0' +
                             static_cast<char>(header.size()) +
                             std::string(3, '\0') + header + "\x05\x06");
    ASSERT_TRUE(tensor.ok()) << tensor.status();
    EXPECT_THAT(ElementsOf<uint8_t>(*tensor), ElementsAre(5, 6));
  }
}

TEST(ReadNpy, ReadsEveryTypeThatNumpyHas) {
  const struct {
    const char* code;
    DType dtype;
  } types[] = {
      {"f2", DType::kFloat16}, {"f4", DType::kFloat32}, {"f8", DType::kFloat64},
      {"i1", DType::kInt8},    {"i2", DType::kInt16},   {"i4", DType::kInt32},
      {"i8", DType::kInt64},   {"u1", DType::kUint8},   {"u2", DType::kUint16},
      {"u4", DType::kUint32},  {"u8", DType::kUint64},  {"b1", DType::kBool},
      {"?", DType::kBool}};
  for (const auto& [code, dtype] : types) {
    for (const char* order : {"<", ">", "|", "=", ""}) {
      const auto tensor = Read(File(std::string(order) + code, "False", "()",
                                    std::string(SizeOf(dtype), '\1')));
      ASSERT_TRUE(tensor.ok()) << code << tensor.status();
      EXPECT_EQ(tensor->dtype, dtype) << code;
    }
  }
}

TEST(ReadNpy, SwapsBigEndianElements) {
  const auto tensor = Read(
      File(">i4", "False", "(2,)", std::string("\0\0\1\2\xff\xff\xff\xfe", 8)));
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_THAT(ElementsOf<int32_t>(*tensor), ElementsAre(258, -2));
}

TEST(ReadNpy, BringsFortranOrderIntoRows) {
  // Rows 1 2 3 and 4 5 6, stored by columns.
  const auto matrix = Read(File("|i1", "True", "(2, 3)", "\1\4\2\5\3\6"));
  ASSERT_TRUE(matrix.ok()) << matrix.status();
  EXPECT_THAT(ElementsOf<int8_t>(*matrix), ElementsAre(1, 2, 3, 4, 5, 6));
  // [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], two bytes each, big-endian.
  const auto cube =
      Read(File(">u2", "True", "(2, 2, 2)",
                std::string("\0\1\0\5\0\3\0\7\0\2\0\6\0\4\0\x08", 16)));
  ASSERT_TRUE(cube.ok()) << cube.status();
  EXPECT_THAT(ElementsOf<uint16_t>(*cube), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(ReadNpy, ReadsAnEmptyFortranArray) {
  const auto tensor = Read(File("<f4", "True", "(3, 0)", ""));
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_THAT(tensor->shape, ElementsAre(3, 0));
}

TEST(ReadNpy, ReadsRawBytesAsBFloat16OnlyWhenAsked) {
  for (const char* descr : {"<V2", "|V2"}) {
    const std::string file = File(descr, "False", "(1,)", "\x80\x3f");
    const auto tensor = Read(file, {.is_bfloat16 = true});
    ASSERT_TRUE(tensor.ok()) << tensor.status();
    EXPECT_EQ(tensor->dtype, DType::kBFloat16);
    EXPECT_EQ(ElementsOf<BFloat16>(*tensor)[0].bits, 0x3f80);
    EXPECT_EQ(ErrorOf(file), std::string("its elements are '") + descr +
                                 "', raw bytes; --dtype bfloat16 reads them "
                                 "as bfloat16");
  }
}

TEST(ReadNpy, RefusesOtherElementsAsBFloat16) {
  EXPECT_EQ(ErrorOf(File("<f4", "False", "()", "1234"), {.is_bfloat16 = true}),
            "its elements are '<f4'; bfloat16 ones would be '<V2'");
}

TEST(ReadNpy, RefusesElementsThatHaveNoType) {
  for (const char* descr : {"|O", "<c8", "<U4", "|S4", "<M8[ns]", "<f16", "f3",
                            "<<f4", "", "<", "V2x"}) {
    EXPECT_EQ(ErrorOf(File(descr, "False", "()", "12345678")),
              std::string("its elements are '") + descr +
                  "'; bool and integers and floats of up to 8 bytes can be "
                  "read");
  }
}

TEST(ReadNpy, RefusesWhatIsNoNpyFile) {
  for (const char* file : {"", "\x93NUM", "PK\3\4 a zip file", "\x93NUMPX\1"}) {
    EXPECT_EQ(ErrorOf(file), "it is no .npy file: those begin with \\x93NUMPY");
  }
}

TEST(ReadNpy, RefusesAnotherVersion) {
  EXPECT_EQ(ErrorOf("\x93NUMPY\x04\x01"),
            "it has .npy version 4.1; 1.0, 2.0 and 3.0 can be read");
}

TEST(ReadNpy, RefusesAFileThatEndsInItsHeader) {
  const std::string file = File("<f4", "False", "()", "");
  for (const size_t length : {8u, 9u, 10u, 11u, 40u}) {
    EXPECT_EQ(ErrorOf(file.substr(0, length)), "it ends within its header");
  }
}

TEST(ReadNpy, RefusesAHugeHeaderBeforeItTakesMemory) {
  EXPECT_EQ(ErrorOf(std::string("\x93NUMPY\x02\0\xff\xff\xff\xff", 12)),
            "its header claims 4294967295 bytes; 65536 at most can be read");
}

TEST(ReadNpy, RefusesAByteTooFew) {
  EXPECT_EQ(ErrorOf(File("<f4", "False", "(2,)", "1234567")),
            "it ends after 7 of the 8 bytes of its elements, float32[2]");
}

TEST(ReadNpy, LeavesWhatFollowsTheElementsAlone) {
  std::istringstream in(File("|u1", "False", "(2,)", "\1\2 and more"));
  EXPECT_THAT(ElementsOf<uint8_t>(ReadNpy(in).value()), ElementsAre(1, 2));
  EXPECT_EQ(in.get(), ' ');
}

TEST(ReadNpy, RefusesALargePromiseBeforeItTakesMemory) {
  EXPECT_EQ(ErrorOf(File("<f4", "False", "(1000000000000000000,)", "1234")),
            "it ends after 4 of the 4000000000000000000 bytes of its elements, "
            "float32[1000000000000000000]");
}

TEST(ReadNpy, RefusesASizeThatOverflows) {
  EXPECT_EQ(ErrorOf(File("<f4", "False", "(4294967296, 4294967296)", "")),
            "float32[4294967296,4294967296] has more bytes than int64 counts");
}

TEST(ReadNpy, ReadsNoElementsWhateverTheOtherExtents) {
  EXPECT_TRUE(
      Read(File("<f4", "False", "(4294967296, 0, 4294967296)", "")).ok());
}

std::string Written(const Tensor& tensor) {
  std::ostringstream out;
  WriteNpy(tensor, out);
  return out.str();
}

TEST(WriteNpy, WritesTheBytesThatNumpyWrites) {
  // numpy.save(file, numpy.array([[1, -2], [3, 4]], numpy.int16))
  EXPECT_EQ(Written(MakeTensor<int16_t>({2, 2}, {1, -2, 3, 4})),
            std::string("\x93NUMPY\x01\0\x76\0", 10) +
                "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2), }" +
                std::string(58, ' ') + "\n" +
                std::string("\1\0\xfe\xff\3\0\4\0", 8));
}

TEST(WriteNpy, WritesAScalarAsNumpyDoes) {
  // numpy.save(file, numpy.float32(1))
  EXPECT_EQ(Written(MakeTensor<float>({}, {1})),
            std::string("\x93NUMPY\x01\0\x76\0", 10) +
                "{'descr': '<f4', 'fortran_order': False, 'shape': (), }" +
                std::string(62, ' ') + "\n" + std::string("\0\0\x80\x3f", 4));
}

TEST(WriteNpy, RoundTripsBFloat16) {
  const Tensor tensor = MakeTensor<BFloat16>({2}, {{0x3f80}, {0xff80}});
  const auto read = Read(Written(tensor), {.is_bfloat16 = true});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, tensor);
}

TEST(WriteNpy, AlignsTheElementsWhateverTheShape) {
  for (size_t rank = 0; rank < 40; ++rank) {
    const Tensor tensor =
        MakeTensor<int8_t>(std::vector<int64_t>(rank, 1), {7});
    const std::string file = Written(tensor);
    EXPECT_EQ((file.size() - 1) % 64, 0u) << rank;
    EXPECT_EQ(Read(file).value(), tensor);
  }
}

}  // namespace
}  // namespace reductor
