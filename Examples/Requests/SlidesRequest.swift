import NetKit

/// A list that sits deep inside the response: `{"slideshow": {"slides": [{…}, {…}]}}`.
struct SlidesRequest: Request {
    typealias ResponseObjectType = [Slide]
    /// No type of one's own for errors: the body's text, nil when it is empty.
    typealias ErrorType = String?

    let path = "json"

    /// Walks to the list before anything is decoded; a number would pick an element of an array.
    var responseConverter: (any ResponseJSONConverter)? {
        KeyPathResponseConverter(path: "slideshow/slides")
    }
}

struct Slide: ResponseObject {
    let title: String
    let type: String
}
