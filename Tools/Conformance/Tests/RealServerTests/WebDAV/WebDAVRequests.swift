import Foundation
import NetKit

extension HTTPMethod {
    static let propfind = HTTPMethod.custom("PROPFIND")
    static let mkcol = HTTPMethod.custom("MKCOL")
    static let copy = HTTPMethod.custom("COPY")
    static let move = HTTPMethod.custom("MOVE")
    static let lock = HTTPMethod.custom("LOCK")
    static let unlock = HTTPMethod.custom("UNLOCK")
}

/// What is in a folder.
struct ListRequest: Request {
    typealias ResponseObjectType = [Resource]
    let path: String
    let method: HTTPMethod = .propfind
    let headers: HTTPHeaders = ["Depth": "1", .contentType: "application/xml; charset=utf-8"]
    let body: RequestBody? = .string(
        """
        <?xml version="1.0" encoding="utf-8"?>
        <propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getetag/></prop></propfind>
        """
    )
    let responseDecoding = ResponseDecoding.multistatus
}

struct MakeFolderRequest: Request {
    typealias ResponseObjectType = Void
    let path: String
    let method: HTTPMethod = .mkcol
}

struct PutFileRequest: Request {
    typealias ResponseObjectType = Void
    let path: String
    let method: HTTPMethod = .put
    let body: RequestBody?
    var headers: HTTPHeaders = [:]

    init(_ path: String, _ content: Data, headers: HTTPHeaders = [:]) {
        self.path = path
        body = .raw(content)
        self.headers = headers
    }
}

struct GetFileRequest: Request {
    typealias ResponseObjectType = Data
    let path: String
}

/// Copies or moves a resource.
struct TransferRequest: Request {
    typealias ResponseObjectType = Void
    let path: String
    let method: HTTPMethod
    @Header("Destination") private(set) var destination: String
    @Header("Overwrite") private(set) var overwrite: String

    init(_ method: HTTPMethod, _ path: String, to destination: String, overwriting: Bool = false) {
        self.path = path
        self.method = method
        self.destination = destination
        overwrite = overwriting ? "T" : "F"
    }
}

struct DeleteFileRequest: Request {
    typealias ResponseObjectType = Void
    let path: String
    let method: HTTPMethod = .delete
}

struct LockRequest: Request {
    typealias ResponseObjectType = String
    let path: String
    let method: HTTPMethod = .lock
    let headers: HTTPHeaders = [.contentType: "application/xml", "Timeout": "Second-600"]
    let body: RequestBody? = .string(
        """
        <?xml version="1.0" encoding="utf-8"?>
        <lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>
        """
    )
}

struct UnlockRequest: Request {
    typealias ResponseObjectType = Void
    let path: String
    let method: HTTPMethod = .unlock
    @Header("Lock-Token") private(set) var token: String

    init(_ path: String, token: String) {
        self.path = path
        self.token = token
    }
}
