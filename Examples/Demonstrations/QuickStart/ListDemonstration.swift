import NetKit

/// Gets a list deep inside the response: `{"slideshow": {"slides": [{…}, {…}]}}`.
final class SlidesRequest: Request {
    typealias ResponseObjectType = [Slide]
    /// An error without a type of its own: the body's text, nil if it is empty.
    typealias ErrorType = String?

    let path = "json"

    /// Takes the list out before it is decoded.
    ///
    /// A number picks an element of an array.
    let responseConverter: (any ResponseJSONConverter)? =
        KeyPathResponseConverter(path: "slideshow/slides")
}

struct Slide: ResponseObject {
    let title: String
    let type: String
}

struct ListDemonstration: Demonstration {
    let name = "list"
    let summary = "a converter that takes a list out of the JSON"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        context.endpoint.useAsDefault()

        context.asked("SlidesRequest().execute().onSuccess { … }.onFail { … }")
        let answer = Answer<[Slide]>()
        SlidesRequest()
            .execute()
            .onSuccess { slides in answer.succeed(slides) }
            .onFail { error in answer.fail(error) }
        let slides = try await answer.value
        context.cameBack(slides.map { "\($0)" }.joined(separator: "\n"))
        try context.expect(
            slides.count == 2 && slides[1].title == "Overview",
            "slideshow/slides was decoded as [Slide]"
        )

        context.asked("try await SlidesRequest().execute().value")
        let same = try await SlidesRequest().execute().value
        context.cameBack("\(same.count) slides")
        try context.expect(same.map(\.title) == slides.map(\.title), "async returned the same list")
    }
}
