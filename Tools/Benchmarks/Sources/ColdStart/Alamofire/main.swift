import Alamofire
import ColdStart
import Foundation

ColdStart.run { url in
    {
        try await AF.request(url.appendingPathComponent(ColdStart.path))
            .serializingDecodable(ColdStart.Item.self)
            .value
    }
}
