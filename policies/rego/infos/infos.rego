# METADATA
# title: headroom's infos for conftest
# description: |
#   Infos are warnings only where somebody asks for them:
#   conftest test --namespace main --namespace infos
package infos

import data.main

warn := main.infos
