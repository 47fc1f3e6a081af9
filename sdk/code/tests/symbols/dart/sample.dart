import 'dart:io';
import 'package:shop/item.dart' show Item;

const limit = 10;
final _hidden = 1;
typedef Money = int;

/// What people buy.
abstract class Cart<T> extends Base with Mixed implements Priced {
  final List<Item> items;
  static const int maximum = 5;
  String? _name, other;

  Cart(this.items);
  Cart.empty() : items = [];
  factory Cart.of(Item item) => Cart([item]);

  /// Adds up.
  double total({double rate = 1.0}) {
    inner(x) => x;
    return items.fold(0, (sum, item) => sum + item.price);
  }

  int get size => items.length;
  set size(int value) {}
  void _check();
  operator +(Cart other) => this;
}

mixin Mixed on Base {}
enum Shape { circle, square; int sides() => 0; }
extension Doubling on int { int twice() => this * 2; }

@override
Future<void> main(List<String> args) async {
  print(total);
}
