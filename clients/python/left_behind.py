"""Shows what a library's timers leave in a task that asyncio.timeout() watches.

Three attempts, then one that the outer deadline ends. The deadline should come
out as TimeoutError; a cancel that somebody left behind makes it CancelledError.
"""

import asyncio
import importlib.metadata
import platform


async def silence(reader, writer):
    """Takes the request and says nothing."""
    await reader.read()
    writer.close()


async def aiohttp_total(url):
    import aiohttp
    async with aiohttp.ClientSession() as session:
        async with session.get(url, timeout=aiohttp.ClientTimeout(total=0.05)) as response:
            await response.read()


async def httpx_read(url):
    import httpx
    async with httpx.AsyncClient(trust_env=False) as client:
        await client.get(url, timeout=httpx.Timeout(5, read=0.05))


async def asyncio_timeout(url):
    async with asyncio.timeout(0.05):
        await asyncio.sleep(60)


async def experiment(attempt, url):
    """What comes out of asyncio.timeout(), and how many cancels each attempt left."""
    left = []
    try:
        async with asyncio.timeout(1):
            for _ in range(3):
                try:
                    await attempt(url)
                except Exception as error:
                    left.append(f"{type(error).__name__}, cancels left {asyncio.current_task().cancelling()}")
            await asyncio.sleep(60)
    except BaseException as error:
        return f"{'; '.join(left)}; the deadline comes out as {type(error).__name__}"


async def main():
    server = await asyncio.start_server(silence, "127.0.0.1", 0)
    url = "http://127.0.0.1:%d/" % server.sockets[0].getsockname()[1]
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("aiohttp", "httpx", "anyio")]
    print(f"Python {platform.python_version()},", ", ".join(versions))
    for attempt in aiohttp_total, httpx_read, asyncio_timeout:
        print(f"{attempt.__name__}: {await asyncio.create_task(experiment(attempt, url))}")


asyncio.run(main())
