import Foundation

/// What the server answers to an upload.
struct UploadReceipt: Codable, Equatable, Sendable {
    /// The length of the request's body.
    let received: Int
}

extension UploadReceipt {
    var json: Data { Data("{\"received\":\(received)}".utf8) }

    /// Makes sure that the server has read what was sent.
    ///
    /// - Parameters:
    ///   - file: What was sent.
    ///   - isWrapped: Whether there is something around the file, as in a multipart body.
    /// - Throws: ``WrongAnswer`` if it has not.
    func check(_ file: TransferFile, isWrapped: Bool = false) throws {
        guard isWrapped ? received > file.length : received == file.length else {
            throw WrongAnswer.length(received)
        }
    }
}
