// A list whose members hold its links: joining and leaving cost no allocation,
// and a member may leave from any place in it.
#ifndef REDUCTOR_SERVICE_INTRUSIVE_LIST_H_
#define REDUCTOR_SERVICE_INTRUSIVE_LIST_H_

#include <cstdint>

namespace reductor {

// `T` derives from IntrusiveList<T>::Link and outlives its stay. Not
// thread-safe.
template <class T>
class IntrusiveList {
 public:
  class Link {
   private:
    friend IntrusiveList;
    T* before_ = nullptr;
    T* after_ = nullptr;
    bool is_in_ = false;
  };

  bool empty() const { return first_ == nullptr; }
  int64_t size() const { return size_; }

  // The one that has been in for longest. REQUIRES: not empty.
  T& front() const { return *first_; }

  // The one that came last. REQUIRES: not empty.
  T& back() const { return *last_; }

  // REQUIRES: not in any list.
  void PushBack(T* member) {
    Link& link = *member;
    link = Link();
    link.is_in_ = true;
    link.before_ = last_;
    (last_ == nullptr ? first_ : LinkOf(last_).after_) = member;
    last_ = member;
    ++size_;
  }

  // Returns false if it is not in. REQUIRES: it is in no other list, as the
  // link does not tell in which.
  bool Remove(T* member) {
    Link& link = *member;
    if (!link.is_in_) return false;
    (link.before_ == nullptr ? first_ : LinkOf(link.before_).after_) =
        link.after_;
    (link.after_ == nullptr ? last_ : LinkOf(link.after_).before_) =
        link.before_;
    link.is_in_ = false;
    --size_;
    return true;
  }

  // Null if empty.
  T* PopFront() {
    T* const member = first_;
    if (member != nullptr) Remove(member);
    return member;
  }

 private:
  static Link& LinkOf(T* member) { return *member; }

  T* first_ = nullptr;
  T* last_ = nullptr;
  int64_t size_ = 0;
};

}  // namespace reductor

#endif  // REDUCTOR_SERVICE_INTRUSIVE_LIST_H_
