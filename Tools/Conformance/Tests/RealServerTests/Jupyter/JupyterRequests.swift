import Foundation
import NetKit

/// A notebook, a file or a folder.
struct Contents: Decodable, Equatable {
    let name: String
    let path: String
    let type: String
    let created: Date
    let content: JSONValue?
}

struct ContentsRequest: Request {
    typealias ResponseObjectType = Contents
    let path: String

    init(_ path: String) {
        self.path = "api/contents/\(path)"
    }
}

/// Makes a notebook with a name that the server chooses.
struct CreateNotebookRequest: Request {
    typealias ResponseObjectType = Contents
    let path: String
    let method: HTTPMethod = .post
    let body: RequestBody? = .params(["type": "notebook"])

    init(in folder: String) {
        path = "api/contents/\(folder)"
    }
}

struct CreateFolderRequest: Request {
    typealias ResponseObjectType = Contents
    let path: String
    let method: HTTPMethod = .put
    let body: RequestBody? = .params(["type": "directory"])

    init(_ folder: String) {
        path = "api/contents/\(folder)"
    }
}

struct SaveNotebookRequest: Request {
    typealias ResponseObjectType = Contents
    let path: String
    let method: HTTPMethod = .put
    let body: RequestBody?

    init(_ path: String, source: String) {
        self.path = "api/contents/\(path)"
        let cell: JSONValue = [
            "cell_type": "markdown", "id": "first", "metadata": [:], "source": .string(source),
        ]
        body = .json([
            "type": "notebook", "format": "json",
            "content": ["cells": [cell], "metadata": [:], "nbformat": 4, "nbformat_minor": 5],
        ])
    }
}

struct RenameRequest: Request {
    typealias ResponseObjectType = Contents
    let path: String
    let method: HTTPMethod = .patch
    let body: RequestBody?

    init(_ old: String, to new: String) {
        path = "api/contents/\(old)"
        body = .params(["path": new])
    }
}

struct DeleteContentsRequest: Request {
    typealias ResponseObjectType = Void
    let path: String
    let method: HTTPMethod = .delete

    init(_ path: String) {
        self.path = "api/contents/\(path)"
    }
}

struct Kernel: Decodable {
    let id: String
    let name: String
}

struct KernelsRequest: Request {
    typealias ResponseObjectType = [Kernel]
    let path = "api/kernels"
}

struct Terminal: Decodable, Equatable {
    let name: String
}

struct CreateTerminalRequest: Request {
    typealias ResponseObjectType = Terminal
    let path = "api/terminals"
    let method: HTTPMethod = .post
}

struct TerminalsRequest: Request {
    typealias ResponseObjectType = [Terminal]
    let path = "api/terminals"
}

struct CloseTerminalRequest: Request {
    typealias ResponseObjectType = Void
    let path = "api/terminals/{name}"
    let method: HTTPMethod = .delete
    @Path("name") private(set) var name: String

    init(_ terminal: Terminal) {
        name = terminal.name
    }
}

struct Token: Decodable {
    let accessToken: String
    let expiresIn: Int
}

/// A new token for an expired one.
struct TokenRequest: Request {
    typealias ResponseObjectType = Token
    let path = "token"
    let isAuthenticated = false
}
