import Crypto

extension SHA256: AWSHash {}
