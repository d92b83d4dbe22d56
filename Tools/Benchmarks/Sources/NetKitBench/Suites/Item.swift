/// What the server sends and every client decodes: as JSON exactly 1,024 bytes.
struct Item: Codable, Equatable, Sendable {
    struct Owner: Codable, Equatable, Sendable {
        let id: Int
        let name: String
        let email: String
    }

    struct Review: Codable, Equatable, Sendable {
        let author: String
        let stars: Int
        let text: String
    }

    let id: Int
    let name: String
    let isActive: Bool
    let price: Double
    let createdAt: String
    let tags: [String]
    let owner: Owner
    let reviews: [Review]
    let summary: String
}

extension Item {
    /// The one item there is; a client that decodes anything else has failed.
    static let sample = Item(
        id: 9_007_199_254,
        name: "Folding bicycle, 20 inch",
        isActive: true,
        price: 499.5,
        createdAt: "2025-01-31T12:34:56Z",
        tags: ["bicycle", "folding", "city", "commuting"],
        owner: Owner(id: 4711, name: "Ada Example", email: "ada@example.com"),
        reviews: [
            Review(author: "Grace", stars: 5, text: "Fits under the desk, rides like a big one."),
            Review(author: "Linus", stars: 4, text: "The saddle is hard, all else is good."),
            Review(author: "Barbara", stars: 5, text: "Three winters without a repair."),
            Review(author: "Edsger", stars: 3, text: "Considered heavy on the stairs."),
            Review(
                author: "Margaret",
                stars: 5,
                text:
                    "Took it to Helsinki and back as hand luggage; nobody at either gate asked what was in the bag."
            ),
        ],
        summary: """
            A bicycle that folds in fifteen seconds and goes along on trains, in lifts and in the \
            boots of small cars. Steel frame, three gears in the hub, mudguards, lights that run \
            from the hub, and a rack at the back for twelve kilograms. Delivered in one box with \
            a pump and the two spanners it needs. Spare parts are kept for eleven years.
            """
    )
}
