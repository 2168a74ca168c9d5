// Answers that a handler keeps as the bytes they travel as.
import { gunzipSync } from 'node:zlib'
import { codes } from '@cloudoc/domain'
import type { FastifyReply } from 'fastify'
import { compress, worthIt } from './compress.ts'

/** A successful answer as it travels: made once, sent as often as it holds. */
export class Written {
  readonly body: Buffer
  private readonly isCompressed: boolean

  private constructor(body: Buffer, isCompressed: boolean) {
    this.body = body
    this.isCompressed = isCompressed
  }

  /** Of what is answered as JSON; compressed where that is accepted and worth it. */
  static async of(data: string, { compressed }: { readonly compressed: boolean }): Promise<Written> {
    const envelope = Buffer.from(`{"result":${codes.success.code},"data":${data},"msg":""}`)
    const isCompressed = compressed && envelope.length >= worthIt
    return new Written(isCompressed ? await compress(envelope) : envelope, isCompressed)
  }

  /** What it says. */
  get data(): unknown {
    const envelope = this.isCompressed ? gunzipSync(this.body) : this.body
    return (JSON.parse(envelope.toString()) as { data: unknown }).data
  }

  send(reply: FastifyReply): FastifyReply {
    if (this.isCompressed) reply.header('content-encoding', 'gzip')
    return reply.header('vary', 'accept-encoding').type('application/json; charset=utf-8').send(this.body)
  }
}
