import NetKit

/// Gets a list nested in the response: `{"slideshow": {"slides": [{…}, {…}]}}`.
final class SlidesRequest: Request {
    typealias ResponseObjectType = [Slide]
    /// The error is the body's text, or nil if the body is empty.
    typealias ErrorType = String?

    let path = "json"

    /// Extracts the list before it is decoded.
    ///
    /// A number in the path selects an array element.
    let responseConverter: (any ResponseJSONConverter)? =
        KeyPathResponseConverter(path: "slideshow/slides")
}

struct Slide: ResponseObject {
    let title: String
    let type: String
}

struct ListDemonstration: Demonstration {
    let name = "list"
    let summary = "extract a list from the JSON with a converter"
    let needsOwnServer = false

    func run(_ context: Context) async throws {
        context.endpoint.useAsDefault()

        context.asked("SlidesRequest().execute().onSuccess { … }.onFail { … }")
        // Waits for the closures. A program that keeps running needs no Answer.
        let answer = Answer<[Slide]>()
        SlidesRequest()
            .execute()
            .onSuccess { slides in answer.succeed(slides) }
            .onFail { error in answer.fail(error) }
        let slides = try await answer.value
        context.cameBack(slides.map { "\($0)" }.joined(separator: "\n"))
        try context.expect(
            slides.count == 2 && slides[1].title == "Overview",
            "slideshow/slides decoded to [Slide]"
        )

        context.asked("try await SlidesRequest().execute().value")
        let same = try await SlidesRequest().execute().value
        context.cameBack("\(same.count) slides")
        try context.expect(same.map(\.title) == slides.map(\.title), "async returned the same list")
    }
}
