// Answers that a handler keeps as the bytes they travel as.
import type { OutgoingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { codes } from '@cloudoc/domain'
import type { FastifyReply } from 'fastify'
import { compress, worthIt } from './compress.ts'

/** What stands around the data of a successful answer. */
export const envelope = { before: `{"result":${codes.success.code},"data":`, after: ',"msg":""}' } as const

/** A successful answer as it travels: made once, sent as often as it holds. */
export class Written {
  /** One after the other. */
  private readonly parts: readonly Buffer[]
  private readonly isCompressed: boolean

  private constructor(parts: readonly Buffer[], isCompressed: boolean) {
    this.parts = parts
    this.isCompressed = isCompressed
  }

  /** Of what is answered as JSON; compressed where that is accepted and worth it. */
  static of(data: string, how: { readonly compressed: boolean }): Promise<Written> {
    return Written.ofEnvelope([Buffer.from(`${envelope.before}${data}${envelope.after}`)], how)
  }

  /** The same of the whole answer in parts, with what stands around its data. */
  static async ofEnvelope(
    parts: readonly Buffer[],
    { compressed }: { readonly compressed: boolean },
  ): Promise<Written> {
    const isCompressed = compressed && lengthOf(parts) >= worthIt
    return new Written(isCompressed ? [await compress(Buffer.concat(parts))] : parts, isCompressed)
  }

  /** What it says. */
  get data(): unknown {
    const answer = Buffer.concat(this.parts)
    return (JSON.parse((this.isCompressed ? gunzipSync(answer) : answer).toString()) as { data: unknown }).data
  }

  /** Sends the parts as they are: put together first, each answer would be copied once more. */
  send(reply: FastifyReply): FastifyReply {
    if (this.isCompressed) reply.header('content-encoding', 'gzip')
    reply.header('vary', 'accept-encoding').type('application/json; charset=utf-8')
    reply.header('content-length', lengthOf(this.parts)).hijack()
    reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
    for (const part of this.parts) reply.raw.write(part)
    reply.raw.end()
    return reply
  }
}

/** How long an answer in parts is. */
export const lengthOf = (parts: readonly Buffer[]): number => parts.reduce((sum, part) => sum + part.length, 0)
