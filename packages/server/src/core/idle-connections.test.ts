import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'
import { longTest } from '../../test/full.ts'
import { openWorld, requestFor } from '../../test/harness.ts'
import { Pauses } from '../../test/pauses.ts'

longTest(
  'a connection is not ended while its request is worked on, however long that takes, but where a body stands still',
  async () => {
    const pauses = new Pauses()
    const world = await openWorld({ pause: pauses.at })
    const anna = await world.person('anna')
    const { server } = world.app.http
    const port = await world.port()
    const connected = once(server, 'connection') as Promise<[Socket]>
    const stop = pauses.hold('commit folderCreate')
    const { url, headers, payload } = requestFor(
      'folderCreate',
      { parentId: anna.library, folderName: 'late' },
      anna.token,
    )
    const request = { method: 'POST', headers: headers as Record<string, string>, body: payload as string }
    const answer = fetch(`http://127.0.0.1:${port}${url}`, request)
    await stop.reached
    server.timeout = 20
    const [connection] = await connected
    connection.setTimeout(server.timeout)
    for (let n = 0; n < 3; n += 1) await once(server, 'timeout')
    stop.release()
    expect(await (await answer).json()).toMatchObject({ result: -1 })
    expect(await anna.names(anna.library)).toEqual(['late'])

    const socket = connect(port, '127.0.0.1')
    socket.write('PUT /services2/upload/raw?folderId=1&fileName=a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf')
    await once(socket.resume(), 'close')
  },
)
