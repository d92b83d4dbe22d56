import NetKit

/// The value is a list deep inside the JSON; the request's converter walks there.
struct ListDemonstration: Demonstration {
    let name = "list"
    let summary = "a list that is found by a key path"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        context.asked("try await endpoint.value(for: SlidesRequest())")
        let slides = try await context.endpoint.value(for: SlidesRequest())
        context.cameBack(slides.map { "\($0)" }.joined(separator: "\n"))
        try context.expect(
            slides.count == 2 && slides[1].title == "Overview",
            "slideshow/slides was decoded as [Slide]"
        )
    }
}
