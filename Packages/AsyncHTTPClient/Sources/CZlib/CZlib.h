// zlib of the system, which swift-nio-extras links too.
#include <zlib.h>
