/*
 * How each kind of body is read. JSON, forms and texts are read completely, up to the dispatcher's limit. Uploads are
 * passed on as streams after the session and the gates are checked.
 */
import type { Readable } from 'node:stream'
import type { Payload } from '@cloudoc/contract'
import { fail, ResultError } from '@cloudoc/domain'
import { Busboy } from '@fastify/busboy'
import type { FastifyInstance } from 'fastify'

type Done = (error: Error | null, body?: unknown) => void

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    // The parser's message contains the position and quotes the text. Only the position is used.
    const where = /at position \d+(?: \(line \d+ column \d+\))?/.exec((error as Error).message)?.[0] ?? 'at its end'
    throw new ResultError('badRequest', {
      zh: `请求体不是有效的 JSON（${where}）`,
      en: `the body is no JSON (${where})`,
    })
  }
}

function finish(done: Done, read: () => unknown): void {
  try {
    done(null, read())
  } catch (error) {
    done(error as Error)
  }
}

/** Registers the body parser for the payload kind of a scope of routes. */
export function readBodies(scope: FastifyInstance, payload: Payload): void {
  scope.removeAllContentTypeParsers()
  if (payload === 'multipart' || payload === 'raw') {
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
    return
  }
  if (payload === 'text') {
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text))
    return
  }
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) =>
    finish(done, () => parseJson(String(text))),
  )
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
    finish(done, () => Object.fromEntries(new URLSearchParams(String(text)))),
  )
}

/** A multipart upload read up to its file: the fields before it, and the file's name and bytes. */
export interface MultipartUpload {
  readonly fields: Record<string, string>
  readonly fileName: string
  /** Ends only when the closing boundary has arrived. Fails with -9 if the body breaks off. */
  readonly content: AsyncIterable<Uint8Array>
}

const mostFields = 20
const longestField = 10_000

/**
 * Reads a multipart body up to the part `file`, which must be the last part. Fields after it would take effect only
 * after the gates are checked, so they are refused. Truncated fields and too many fields are refused too.
 */
export function readMultipart(body: Readable, contentType: string | undefined): Promise<MultipartUpload> {
  return new Promise((resolve, reject) => {
    let parser: InstanceType<typeof Busboy>
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType ?? '' },
        preservePath: true,
        limits: { fields: mostFields, files: 1, fieldSize: longestField, headerPairs: 50 },
      })
    } catch {
      reject(new ResultError('badRequest', 'a multipart body is expected'))
      return
    }
    const fields = Object.create(null) as Record<string, string>
    const interrupted = new ResultError('uploadInterrupted')
    let surplus: ResultError | undefined
    let fileBegun = false
    const refuse = (detail: string): void => {
      surplus ??= new ResultError('badRequest', detail)
      if (!fileBegun) reject(surplus)
    }
    const whole = new Promise<void>((done, broken) => {
      parser.once('finish', () => (surplus === undefined ? done() : broken(surplus)))
      parser.on('error', () =>
        broken(fileBegun ? interrupted : new ResultError('badRequest', 'the multipart body is broken')),
      )
      body.once('error', () => broken(interrupted))
      // A body that was read to its end closes too, possibly before the parser has passed on all of it.
      body.once('close', () => {
        if (!body.readableEnded) broken(interrupted)
      })
    })
    whole.then(
      () => reject(new ResultError('badRequest', 'the part `file` is missing')),
      (error: unknown) => reject(error as Error),
    )
    parser.on('fieldsLimit', () => refuse('too many fields'))
    parser.on('filesLimit', () => refuse('one file at a time'))
    parser.on('field', (name: string | undefined, value, _nameCut, valueCut) => {
      if (valueCut) refuse(`${name}: too long`)
      else if (fileBegun) refuse(`${name}: fields stand before the file`)
      else if (name !== undefined) fields[name] = value
    })
    parser.on('file', (name, file, fileName) => {
      // There may be no reader yet, and an unhandled error event ends the process.
      file.on('error', () => {})
      if (name !== 'file') {
        file.resume()
        return
      }
      fileBegun = true
      whole.catch(() => file.destroy(interrupted))
      resolve({ fields, fileName: baseName(fileName ?? ''), content: untilWhole(file, whole) })
    })
    body.pipe(parser)
  })
}

/** Some clients send the whole local path. Only its last segment is the name. */
function baseName(fileName: string): string {
  return fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)
}

async function* untilWhole(file: AsyncIterable<Uint8Array>, whole: Promise<void>): AsyncIterable<Uint8Array> {
  try {
    yield* file
  } catch {
    // `whole` below throws the reason.
  }
  await whole
}

/**
 * A raw body. Fails with -9 if the connection breaks off. A reader that stops early leaves the body as it is: destroying
 * it would end the connection before the answer.
 */
export async function* readRaw(body: Readable): AsyncIterable<Uint8Array> {
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  } catch {
    fail('uploadInterrupted')
  }
}
