// Answers that a handler keeps as the bytes they travel as.
import { gunzipSync } from 'node:zlib'
import { codes } from '@cloudoc/domain'
import type { FastifyReply } from 'fastify'
import { compress, worthIt } from './compress.ts'

/** What stands around the data of a successful answer. */
export const envelope = { before: `{"result":${codes.success.code},"data":`, after: ',"msg":""}' } as const

/** A successful answer as it travels: made once, sent as often as it holds. */
export class Written {
  readonly body: Buffer
  private readonly isCompressed: boolean

  private constructor(body: Buffer, isCompressed: boolean) {
    this.body = body
    this.isCompressed = isCompressed
  }

  /** Of what is answered as JSON; compressed where that is accepted and worth it. */
  static of(data: string, how: { readonly compressed: boolean }): Promise<Written> {
    return Written.ofEnvelope(Buffer.from(`${envelope.before}${data}${envelope.after}`), how)
  }

  /** The same of the whole answer, with what stands around its data. */
  static async ofEnvelope(answer: Buffer, { compressed }: { readonly compressed: boolean }): Promise<Written> {
    const isCompressed = compressed && answer.length >= worthIt
    return new Written(isCompressed ? await compress(answer) : answer, isCompressed)
  }

  /** What it says. */
  get data(): unknown {
    const answer = this.isCompressed ? gunzipSync(this.body) : this.body
    return (JSON.parse(answer.toString()) as { data: unknown }).data
  }

  send(reply: FastifyReply): FastifyReply {
    if (this.isCompressed) reply.header('content-encoding', 'gzip')
    return reply.header('vary', 'accept-encoding').type('application/json; charset=utf-8').send(this.body)
  }
}
