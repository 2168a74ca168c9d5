// Answers that a handler caches as the bytes that are sent.
import type { OutgoingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { codes } from '@cloudoc/domain'
import type { FastifyReply } from 'fastify'
import { gzipOf, lengthOf, Part, worthIt } from './compress.ts'

/** The text around the data of a successful answer. */
export const envelope = { before: `{"result":${codes.success.code},"data":`, after: ',"msg":""}' } as const

/** A successful answer in its sent form: made once, sent as long as it is valid. */
export class EncodedAnswer {
  /** The parts, in order. */
  private readonly parts: readonly Buffer[]
  private readonly length: number
  private readonly isCompressed: boolean

  private constructor(parts: readonly Buffer[], isCompressed: boolean) {
    this.parts = parts
    this.length = parts.reduce((sum, part) => sum + part.length, 0)
    this.isCompressed = isCompressed
  }

  /** Creates an answer from JSON data. Compresses it if that is accepted and worthwhile. */
  static of(data: string, how: { readonly compressed: boolean }): Promise<EncodedAnswer> {
    return EncodedAnswer.ofParts([new Part(Buffer.from(`${envelope.before}${data}${envelope.after}`))], how)
  }

  /** Creates an answer from parts that other answers may share, including the envelope. */
  static async ofParts(
    parts: readonly Part[],
    { compressed }: { readonly compressed: boolean },
  ): Promise<EncodedAnswer> {
    const isCompressed = compressed && lengthOf(parts) >= worthIt
    return new EncodedAnswer(isCompressed ? [await gzipOf(parts)] : parts.map(({ bytes }) => bytes), isCompressed)
  }

  /** The data of the answer, parsed. */
  get data(): unknown {
    const answer = Buffer.concat(this.parts)
    return (JSON.parse((this.isCompressed ? gunzipSync(answer) : answer).toString()) as { data: unknown }).data
  }

  /** Sends the parts separately: joining them first would copy each answer once more. */
  send(reply: FastifyReply): FastifyReply {
    if (this.isCompressed) reply.header('content-encoding', 'gzip')
    reply.header('vary', 'accept-encoding').header('cache-control', 'no-store').type('application/json; charset=utf-8')
    reply.header('content-length', this.length).hijack()
    reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
    for (const part of this.parts) reply.raw.write(part)
    reply.raw.end()
    return reply
  }
}
