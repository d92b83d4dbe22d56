import Foundation
import NetKit

/// A transport of a user's own: it answers from a closure, before `send` has returned.
struct ImmediateTransport: Transport {
    struct Answer: Sendable {
        var status: HTTPStatus = 200
        var headers: HTTPHeaders = [:]
        var body = Data()
    }

    let answer: @Sendable (EncodedRequest) throws(TransportError) -> Answer

    func send(
        _ request: EncodedRequest,
        to receiver: any TransportReceiver
    ) -> any TransportExchange {
        receiver.receive(.started)
        do throws(TransportError) {
            let answer = try answer(request)
            if let body = request.body { receiver.receive(.sent(body.length)) }
            receiver.receive(.head(ResponseHead(status: answer.status, headers: answer.headers)))
            if !answer.body.isEmpty { receiver.receive(.body(answer.body)) }
            receiver.receive(.finished(nil))
        } catch {
            receiver.receive(.finished(.failed(error)))
        }
        return Exchange()
    }

    private final class Exchange: TransportExchange {
        func cancel() {}
    }
}
