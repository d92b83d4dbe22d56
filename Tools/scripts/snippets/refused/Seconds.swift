// options: -warnings-as-errors
// error: 'timeout(after:)' is deprecated: use a Duration: timeout(after: .seconds(5))

import NetKit

func call(_ request: some Request, on endpoint: Endpoint) {
    endpoint.execute(request).timeout(after: 5)
}
