// error: type 'ImageRequest' does not conform to protocol 'Request'
// error: unavailable property 'responseDecoding' was used to satisfy a requirement of protocol 'Request': the response type must be Decodable or Void, or the request must declare a responseDecoding. In a module isolated to the main actor, declare the response type 'nonisolated'.

import NetKit

struct Image: Sendable {
    let pixels: [UInt8]
}

struct ImageRequest: Request {
    typealias ResponseObjectType = Image
    let path = "images/1"
}
