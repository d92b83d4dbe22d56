import Foundation
import NetKit
import NetKitTesting

/// Signs each exchange with an interceptor, as Amazon S3 and other AWS services require.
struct SigningDemonstration: Demonstration {
    let name = "sign"
    let summary = "sign every attempt with AWS Signature Version 4"
    let needsOwnServer = true

    func prepare(_ server: MockServer) {
        server.enqueue(.status(503))
        server.route("PUT", "/notes/*") { _ in .status(200) }
    }

    func run(_ context: Context) async throws {
        let endpoint = context.endpoint
        endpoint.retryPolicy.backoff = .constant(.milliseconds(10))
        endpoint.interceptors = [signature(for: endpoint.baseURL)]
        context.asked(
            """
            endpoint.interceptors = [
                AWSSignature<SHA256>(region: "us-east-1", service: "s3", home: endpoint.baseURL) {
                    AWSCredentials(accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "…")
                }
            ]
            try await endpoint.put("notes/today.txt", .string("Buy milk."))
            """
        )
        try await endpoint.put("notes/today.txt", .string("Buy milk."))
        context.cameBack("200, after a 503")
        let sent = try context.ownServer().requests
        try context.expect(
            sent.map { $0.header("X-Amz-Date") } == ["20130524T000000Z", "20130524T000100Z"]
                && Set(sent.map { $0.header("Authorization") }).count == 2,
            "each attempt has its own time and signature"
        )
        try await compareWithDocumentation(context)
    }

    /// Signs the first example of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html.
    private func compareWithDocumentation(_ context: Context) async throws {
        guard let url = URL(string: "https://examplebucket.s3.amazonaws.com/test.txt") else {
            return
        }
        let request = EncodedRequest(url: url, method: .get, headers: ["Range": "bytes=0-9"])
        context.asked("signature.signed(request)")
        let authorization =
            try await signature(for: url).signed(request).headers[.authorization] ?? ""
        context.cameBack(authorization)
        let expected = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        try context.expect(
            authorization.hasSuffix("Signature=\(expected)"),
            "the signature is the one that Amazon's documentation prints"
        )
    }

    /// Returns the documentation's signature, whose clock adds a minute for each retry.
    private func signature(for home: URL) -> AWSSignature<SHA256> {
        AWSSignature(
            region: "us-east-1",
            service: "s3",
            home: home,
            now: {
                Date(
                    timeIntervalSince1970: 1_369_353_600 + 60
                        * Double(RequestContext.current.attempt - 1)
                )
            },
            credentials: {
                AWSCredentials(
                    accessKey: "AKIAIOSFODNN7EXAMPLE",
                    secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
                )
            }
        )
    }
}
