// error: initializer 'init(path:method:queryParams:body:headers:timeout:responseConverter:errorConverter:endpoint:decoder:authToken:)' requires that 'Image' conform to 'Decodable'

import NetKit

struct Image: Sendable {
    let pixels: [UInt8]
}

let request = DefaultRequest<Image, ServerMessage>(path: "images/1")
