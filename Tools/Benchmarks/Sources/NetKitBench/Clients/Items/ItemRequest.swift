import NetKit

/// The item as NetKit's users would ask for it.
struct ItemRequest: Request {
    typealias ResponseObjectType = Item

    let path: String
}
