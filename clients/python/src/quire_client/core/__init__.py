"""What the client says and how it reads the answers, without input or output.

A plan is a generator: it yields a request or a pause, gets the reply, and returns its result. The two transports run
the same plans, one blocking and one with asyncio.
"""
