package fixfiles_test

import _ "pgregory.net/rapid"
