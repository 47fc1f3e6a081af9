#include <vector>
#include "shop.hpp"

namespace shop {

/// A cart — in €.
template <typename T, int N = 3>
class Cart final : public Base<T> {
  T first_;
public:
  using Items = std::vector<T>;
  /// Makes one.
  explicit Cart(Items items) : items_(std::move(items)) {}
  virtual ~Cart() = default;
  void add(const T& item, int price = 0);
  const T& at(int index) const { return items_[index]; }
  bool operator==(const Cart& other) const;
  static Cart make();
  enum class State { Open, Closed };
protected:
  Items items_;
private:
  struct Node { Node* next; };
  int* counts_[N];
};

// Adds one.
template <typename T, int N>
void Cart<T, N>::add(const T& item, int price) {
  auto doubled = price * 2;
  Lock lock(mutex);
  for (const auto& other : items_) log(other, doubled);
  auto later = [this](int value) { return check(value); };
  later(doubled);
}

static int hidden(int value) { return value; }
int& reference(int* value);
constexpr int limit = 10;
inline namespace v1 { class Inner { void secret(); }; }

}  // namespace shop

shop::Store::Store(int size) : size_(size) {}
shop::Store::~Store() {}
int shop::Store::total = 0;
Point* shop::make_point() { return new Point{}; }
std::ostream& operator<<(std::ostream& out, const Point& point) { return out << point.x; }

typedef struct { int x; } Point;
union Bits { int whole; float part; };
#define SQUARE(x) ((x) * (x))
template <typename T> concept Small = sizeof(T) < 8;

int main(int argc, char** argv) { return SQUARE(argc); }
