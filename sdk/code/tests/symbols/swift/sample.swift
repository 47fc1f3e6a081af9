import Foundation
import struct Shop.Price

/// A cart — in €.
@MainActor
public final class Cart<T: Item>: Base, Store {
    public static let limit = 10
    private(set) var items: [T] = []
    fileprivate var name: String?
    let open: Bool

    /// Makes one.
    public init(items: [T], size: Int = 3) { self.items = items; super.init() }
    deinit { close() }

    @discardableResult
    public func add(_ item: T, at price: Double) throws -> Bool {
        let doubled = price * 2
        for other in items { log(other, price: doubled) }
        guard let found = items.first else { return false }
        func inner(_ value: Double) -> Double { value + doubled }
        return items.map { one in check(one) }.isEmpty && inner(price) > Double(Cart.limit)
    }

    private func log(_ item: T, price: Double) { print("\(item) limit") }
    var size: Int { items.count }
    subscript(index: Int) -> T { items[index] }
}

// Not a doc comment.
struct Point { var x: Int, y: Int }

enum State: String { case open, closed(reason: String)
    func next() -> State { .open } }

protocol Item { associatedtype Money; var price: Double { get }
    func isFree() -> Bool }

extension Cart: Equatable { static func == (left: Cart, right: Cart) -> Bool { true }
    func total() -> Int { 0 } }

public typealias Key = String
private let counter = 0
actor Register {}
func top<T>(_ value: T) {}
