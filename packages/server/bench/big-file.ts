/*
 * 1 GiB uploaded, against copy + fsync + sha256 of the same file on the same disk; and downloaded, against a bare
 * node:http server that streams it, and against nginx if installed.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { compare, type Measured } from './measure.ts'
import { startNginx } from './nginx.ts'
import type { BenchServer } from './server.ts'

const MiB = 1024 * 1024
const readSize = 512 * 1024

export async function bigFile(server: BenchServer, runs: number, mebibytes: number): Promise<Measured[]> {
  const path = join(server.dataDir, 'big.bin')
  const size = mebibytes * MiB
  await makeFile(path, mebibytes)
  const folderId = await server.makeFolder('big')
  const unit = 'MB/s'
  const rate = async (work: () => Promise<unknown>): Promise<number> => {
    const started = performance.now()
    await work()
    return size / 1000 / (performance.now() - started)
  }
  let fileId = 0
  const measured = [
    await compare(
      { what: `${mebibytes} MiB in`, bar: 0.6, unit },
      runs,
      () => rate(() => copySynced(path, `${path}.copy`)),
      (run) =>
        rate(async () => {
          // The content differs every time, or the second upload would be deduplicated.
          await stamp(path, run)
          fileId = await server.upload(
            folderId,
            `${run}.bin`,
            createReadStream(path, { highWaterMark: readSize }),
            size,
          )
        }),
    ),
  ]
  const bare = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(bare.stdout, 'data')) as [Buffer]
  const bareUrl = `http://127.0.0.1:${port.toString().trim()}/`
  const ours = () => rate(async () => drain(await server.get(`/DownloadServlet?fileId=${fileId}`), size))
  const from = (url: string) => () => rate(async () => drain(await fetchBare(url), size))
  measured.push(
    await compare({ what: `${mebibytes} MiB out, against node:http`, bar: 0.9, unit }, runs, from(bareUrl), ours),
  )
  bare.kill()
  const nginx = await startNginx(server.dataDir)
  if (nginx !== undefined) {
    const url = `http://127.0.0.1:${nginx.port}/big.bin`
    try {
      measured.push(await compare({ what: `${mebibytes} MiB out, against nginx`, bar: 0, unit }, runs, from(url), ours))
    } finally {
      await nginx.stop()
    }
  }
  return measured
}

async function makeFile(path: string, mebibytes: number): Promise<void> {
  const file = await open(path, 'w')
  const piece = Buffer.alloc(MiB)
  for (let n = 0; n < mebibytes; n += 1) {
    piece.writeUInt32LE(n)
    await file.write(piece)
  }
  await file.close()
}

async function stamp(path: string, run: number): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(Buffer.from([run + 1]), 0, 1, 100)
  await file.close()
}

async function copySynced(from: string, to: string): Promise<void> {
  const hash = createHash('sha256')
  const file = await open(to, 'w')
  for await (const chunk of createReadStream(from, { highWaterMark: readSize }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    await file.write(chunk)
  }
  await file.sync()
  await file.close()
  hash.digest()
  await rm(to)
}

function fetchBare(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get(url, resolve).once('error', reject))
}

async function drain(response: IncomingMessage, size: number): Promise<void> {
  let got = 0
  response.on('data', (chunk: Buffer) => {
    got += chunk.length
  })
  await once(response, 'end')
  if (got !== size) throw new Error(`${got} bytes came instead of ${size}`)
}
