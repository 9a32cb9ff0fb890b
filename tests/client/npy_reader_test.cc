// Files piece by piece; npy_test.cc has what a file may say.
#include "client/npy_reader.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "client/npy_header.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace reductor {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kMebibyte = 1 << 20;

// Three pieces and a bit of uint16, whose first element lies on no page.
constexpr int64_t kCount = 3 * kMebibyte / 2 + 5;

class NpyReaderTest : public ::testing::Test {
 protected:
  NpyReaderTest() {
    for (int64_t i = 0; i < kCount; ++i) {
      elements_.push_back(static_cast<uint16_t>(i * 40503));
    }
  }
  ~NpyReaderTest() override { std::remove(path_.c_str()); }

  // Writes the elements' bytes, as they are, below such a header.
  void Write(const NpyHeader& header) {
    std::string text = NpyHeaderText(header);
    text += '\n';
    std::ofstream file(path_, std::ios::binary);
    file << std::string("\x93NUMPY\x01\0", 8) << static_cast<char>(text.size())
         << '\0' << text;
    file.write(reinterpret_cast<const char*>(elements_.data()), 2 * kCount);
  }

  const std::string path_ = ::testing::TempDir() + "npy_reader_test.npy";
  std::vector<uint16_t> elements_;
};

// All pieces, and the size of each.
std::string Join(NpyReader& reader, std::vector<size_t>& sizes) {
  std::string bytes;
  for (absl::Cord piece = reader.Next().value(); !piece.empty();
       piece = reader.Next().value()) {
    sizes.push_back(piece.size());
    bytes += std::string(piece);
  }
  return bytes;
}

TEST_F(NpyReaderTest, AnswersAFileAndAStreamPieceByPiece) {
  Write({.descr = "<u2", .shape = {kCount}});
  std::ifstream in(path_, std::ios::binary);
  absl::StatusOr<NpyReader> readers[] = {NpyReader::OpenFile(path_),
                                         NpyReader::Open(in)};
  for (absl::StatusOr<NpyReader>& reader : readers) {
    ASSERT_TRUE(reader.ok()) << reader.status();
    EXPECT_EQ(reader->bytes(), 2 * kCount);
    EXPECT_EQ(reader->type(), (TensorType{DType::kUint16, {kCount}}));
    std::vector<size_t> sizes;
    EXPECT_TRUE(Join(*reader, sizes) ==
                MakeTensor<uint16_t>({kCount}, elements_).data);
    EXPECT_THAT(sizes, ElementsAre(kMebibyte, kMebibyte, kMebibyte, 10));
  }
}

TEST_F(NpyReaderTest, SwapsBigEndianElementsPieceByPiece) {
  Write({.descr = ">u2", .shape = {kCount}});
  NpyReader reader = NpyReader::OpenFile(path_).value();
  std::vector<size_t> sizes;
  const std::string bytes = Join(reader, sizes);
  for (uint16_t& x : elements_) x = static_cast<uint16_t>(x << 8 | x >> 8);
  EXPECT_TRUE(bytes == MakeTensor<uint16_t>({kCount}, elements_).data);
  EXPECT_THAT(sizes, ElementsAre(kMebibyte, kMebibyte, kMebibyte, 10));
}

TEST_F(NpyReaderTest, BringsFortranOrderIntoRows) {
  Write({.descr = "<u2", .fortran_order = true, .shape = {kCount, 1}});
  NpyReader reader = NpyReader::OpenFile(path_).value();
  std::vector<size_t> sizes;
  EXPECT_TRUE(Join(reader, sizes) ==
              MakeTensor<uint16_t>({kCount}, elements_).data);
}

TEST_F(NpyReaderTest, RefusesAShortFileBeforeItsFirstPiece) {
  Write({.descr = "<u2", .shape = {kCount + 1}});
  EXPECT_EQ(NpyReader::OpenFile(path_).status(),
            absl::InvalidArgumentError(
                "it ends after 3145738 of the 3145740 bytes of its elements, "
                "uint16[1572870]"));
}

TEST_F(NpyReaderTest, NoticesAFileThatIsCutShortMeanwhile) {
  Write({.descr = "<u2", .shape = {kCount}});
  NpyReader reader = NpyReader::OpenFile(path_).value();
  ASSERT_TRUE(reader.Next().ok());
  std::filesystem::resize_file(path_, kMebibyte);
  EXPECT_EQ(reader.Next().status(),
            absl::DataLossError("it was cut short while it was read"));
}

TEST_F(NpyReaderTest, AnswersPiecesThatOutliveIt) {
  Write({.descr = "<u2", .shape = {kCount}});
  absl::Cord piece;
  {
    NpyReader reader = NpyReader::OpenFile(path_).value();
    piece = reader.Next().value();
  }
  EXPECT_TRUE(
      std::string(piece) ==
      MakeTensor<uint16_t>({kCount}, elements_).data.substr(0, kMebibyte));
}

}  // namespace
}  // namespace reductor
