// Random requests, and random damage to their bytes.
#ifndef REDUCTOR_TESTS_SERVICE_DAMAGE_H_
#define REDUCTOR_TESTS_SERVICE_DAMAGE_H_

#include <random>
#include <string>

#include "reductor/v1/reductor.pb.h"

namespace reductor {

class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  int UpTo(int most) {
    return std::uniform_int_distribution<int>(0, most)(random_);
  }

  v1::ReduceRequest Request() {
    v1::ReduceRequest request;
    for (int i = UpTo(3); i > 0; --i) {
      v1::Reduction* const reduction = request.add_reductions();
      reduction->set_operator_(static_cast<v1::Operator>(UpTo(20)));
      if (UpTo(1)) reduction->set_onnx_opset(UpTo(300) - 20);
      if (UpTo(1)) reduction->set_keep_dims(UpTo(1));
      for (int j = UpTo(3); j > 0; --j) reduction->add_axes(UpTo(200) - 100);
    }
    if (UpTo(9)) {
      v1::Tensor* const tensor = request.mutable_tensor();
      tensor->set_data_type(static_cast<v1::DataType>(UpTo(15)));
      for (int j = UpTo(3); j > 0; --j) tensor->add_shape(UpTo(300));
      tensor->set_data(std::string(UpTo(40), 'd'));
    }
    return request;
  }

  v1::ReduceStreamRequest StreamRequest() {
    v1::ReduceStreamRequest part;
    const v1::ReduceRequest request = Request();
    switch (UpTo(4)) {
      case 0:  // Neither.
        break;
      case 1:
        part.set_data(request.tensor().data());
        break;
      default:
        *part.mutable_header()->mutable_reductions() = request.reductions();
        part.mutable_header()->set_data_type(request.tensor().data_type());
        *part.mutable_header()->mutable_shape() = request.tensor().shape();
        break;
    }
    return part;
  }

  // Bytes that mean something to a parser are likelier than others.
  char Byte() {
    static constexpr char kMeaning[] =
        "\x00\x01\x02\x08\x0a\x0b\x0c\x10\x12\x1b\x1c\x20\x22\x7a\x7b\x7c\x7d"
        "\x78\x79\x80\x81\xfa\xff\x8f\x0f\x06";
    if (UpTo(2) == 0) return static_cast<char>(UpTo(255));
    return kMeaning[UpTo(sizeof(kMeaning) - 2)];
  }

  void Apply(std::string* bytes) {
    const int size = static_cast<int>(bytes->size());
    const int at = UpTo(size);
    switch (UpTo(5)) {
      case 0:  // Change one.
        if (at < size) (*bytes)[at] = Byte();
        break;
      case 1:  // Insert a few.
        for (int i = UpTo(5); i >= 0; --i) bytes->insert(at, 1, Byte());
        break;
      case 2:  // Remove a few.
        bytes->erase(at, UpTo(3));
        break;
      case 3:  // Cut the end off.
        bytes->resize(at);
        break;
      case 4:  // Make a varint longer than it need be.
        if (at < size) {
          (*bytes)[at] |= '\x80';
          const int more = UpTo(8);
          bytes->insert(at + 1, std::string(more, '\x80') + '\0');
        }
        break;
      case 5:  // Repeat a part elsewhere.
        bytes->insert(UpTo(size), bytes->substr(at, UpTo(12)));
        break;
    }
  }

 private:
  std::mt19937 random_;
};

}  // namespace reductor

#endif  // REDUCTOR_TESTS_SERVICE_DAMAGE_H_
