# METADATA
# title: Bursts
# description: |
#   What happens where many threads of one container run at once: collections of a JVM and pools of workers against
#   the quota of its CPU limit (T2, T8, T12), and which of them a limit that is there does not take.
package headroom.bursts
