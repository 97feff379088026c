package headroom.runtime.jvm

# allocators are JVMs that are known to have many threads, as HR310 wants them: {c, text} (R24).
allocators := [{"c": j.c, "text": sprintf("%v threads (threads= in jvm.headroom.dev/%s)", [threads, j.container])} |
	some j in judged
	j.sure
	threads := declared_facts[j.container].threads
	threads >= many_threads
]

# many_threads are those of a server under load (M2).
many_threads := 250
