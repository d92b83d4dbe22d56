import Foundation
import NetKitSupport

/// Follows redirects (RFC 9110, section 15.4), and removes credentials on cross-origin redirects.
struct RedirectsLayer: Layer {
    let policy: RedirectPolicy
    /// The requests that receive the endpoint's credential, or nil without authentication.
    let credentials: CredentialScope?
    let next: any Layer

    func send(_ request: EncodedRequest, in call: CallContext) async -> AttemptResult {
        var request = request
        var followed = 0
        while true {
            let result = await next.send(request, in: call)
            if let last = last(result, of: &request, followed, in: call) { return last }
            followed += 1
        }
    }

    /// Returns the result to deliver, or nil after storing the redirected request in `request`.
    @inline(never)
    private func last(
        _ result: AttemptResult,
        of request: inout EncodedRequest,
        _ followed: Int,
        in call: CallContext
    ) -> AttemptResult? {
        // A redirect needs no body, so that a broken one doesn't matter.
        let broken = call.control.stopped == nil ? result.head : nil
        guard let head = result.response?.head ?? broken,
            RedirectTarget.isRedirect(head.status.rawValue)
        else { return result }
        // An interceptor may have changed the path.
        if result.request.url != request.url { request.url = result.request.url }
        let decision = RedirectRules.decide(
            head,
            after: request,
            policy: policy,
            followed: followed
        )
        switch decision {
        case .deliver: return result
        case .fail(let error):
            var failed = result
            failed.fail(.transport(error))
            return failed
        case .follow(var target):
            // A live body can't be sent twice.
            guard target.body?.sequence == nil else { return result }
            call.reporter?.report(.redirected(head.status, to: target.url))
            if target.origin != request.origin {
                reportCredentials(of: request, in: call)
                // Another origin must not be able to redirect back to a request with the credential.
                target.isAuthenticated = false
            }
            request = target
            return nil
        }
    }

    /// Reports the credentials that a cross-origin redirect removes.
    private func reportCredentials(of request: EncodedRequest, in call: CallContext) {
        guard let reporter = call.reporter else { return }
        let names = request.headers.credentials(hiding: request.redaction.headers)
        guard !names.isEmpty || credentials?.covers(request) == true else { return }
        reporter.report(.credentialsRemoved(names))
    }
}
