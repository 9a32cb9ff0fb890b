#include "client/npy_reader.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>

#include "absl/strings/str_format.h"
#include "client/format.h"
#include "client/layout.h"
#include "client/mapped_file.h"

namespace reductor {
namespace {

// Whole elements of every size, and what a stream sends at a time.
constexpr int64_t kPiece = 1 << 20;

// Fewer where `in` ends.
absl::Cord ReadFrom(std::istream& in, int64_t size) {
  std::string data(size, '\0');
  in.read(data.data(), size);
  data.resize(in.gcount());
  return absl::Cord(std::move(data));
}

}  // namespace

NpyReader::NpyReader(NpyPreamble preamble, Bytes read)
    : preamble_(std::move(preamble)),
      read_(std::move(read)),
      bytes_(*ByteCount(preamble_.type)) {}

absl::StatusOr<NpyReader> NpyReader::Open(std::istream& in,
                                          const NpyReadOptions& options) {
  absl::StatusOr<NpyPreamble> preamble = ReadNpyPreamble(in, options);
  if (!preamble.ok()) return preamble.status();
  return NpyReader(*std::move(preamble),
                   [&in](int64_t, int64_t size) { return ReadFrom(in, size); });
}

absl::StatusOr<NpyReader> NpyReader::OpenFile(const std::string& path,
                                              const NpyReadOptions& options) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    return absl::NotFoundError(std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    const auto in = std::make_shared<std::ifstream>(path, std::ios::binary);
    if (!*in) return absl::NotFoundError(std::strerror(errno));
    absl::StatusOr<NpyReader> reader = Open(*in, options);
    if (!reader.ok()) return reader;
    reader->read_ = [in](int64_t, int64_t size) { return ReadFrom(*in, size); };
    return reader;
  }
  absl::StatusOr<MappedFile> opened = MappedFile::Open(path);
  if (!opened.ok()) return opened.status();
  const auto file = std::make_shared<const MappedFile>(*std::move(opened));
  const int64_t size = file->size();
  const absl::StatusOr<absl::Cord> head =
      file->Read(0, std::min(size, kMaxNpyPreambleBytes));
  if (!head.ok()) return head.status();
  std::istringstream in{std::string(*head)};
  absl::StatusOr<NpyPreamble> preamble = ReadNpyPreamble(in, options);
  if (!preamble.ok()) return preamble.status();
  const int64_t start = in.tellg();
  NpyReader reader(*std::move(preamble),
                   [file, start](int64_t offset, int64_t piece) {
                     return file->Read(start + offset, piece);
                   });
  if (size - start < reader.bytes_) return reader.TooShort(size - start);
  return reader;
}

absl::StatusOr<absl::Cord> NpyReader::Next() {
  const bool is_fortran = preamble_.is_fortran && type().shape.size() > 1;
  if (is_fortran && offset_ == 0) {
    preamble_.is_fortran = false;
    const absl::StatusOr<std::string> fortran = Rest();
    if (!fortran.ok()) return fortran.status();
    return absl::Cord(
        RowMajorFromFortran(type().shape, SizeOf(type().dtype), *fortran));
  }
  const int64_t size = std::min(bytes_ - offset_, kPiece);
  absl::StatusOr<absl::Cord> piece = read_(offset_, size);
  if (!piece.ok()) return piece;
  if (std::ssize(*piece) < size) {
    return TooShort(offset_ + std::ssize(*piece));
  }
  offset_ += size;
  if (!preamble_.is_big_endian) return piece;
  std::string swapped(*piece);
  ReverseEachElement(SizeOf(type().dtype), swapped);
  return absl::Cord(std::move(swapped));
}

absl::StatusOr<std::string> NpyReader::Rest() {
  std::string rest;
  while (true) {
    const absl::StatusOr<absl::Cord> piece = Next();
    if (!piece.ok()) return piece.status();
    if (piece->empty()) return rest;
    for (const absl::string_view chunk : piece->Chunks()) {
      rest.append(chunk.data(), chunk.size());
    }
  }
}

absl::Status NpyReader::TooShort(int64_t there) const {
  return absl::InvalidArgumentError(
      absl::StrFormat("it ends after %d of the %d bytes of its elements, %s",
                      there, bytes_, Signature(type().dtype, type().shape)));
}

absl::StatusOr<Tensor> ReadNpy(std::istream& in,
                               const NpyReadOptions& options) {
  absl::StatusOr<NpyReader> reader = NpyReader::Open(in, options);
  if (!reader.ok()) return reader.status();
  absl::StatusOr<std::string> data = reader->Rest();
  if (!data.ok()) return data.status();
  return Tensor{reader->type().dtype, reader->type().shape, *std::move(data)};
}

}  // namespace reductor
