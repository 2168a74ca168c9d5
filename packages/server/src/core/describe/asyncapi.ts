// GET /services2/asyncapi.json: the live channel as AsyncAPI 3.1. docs/live-channel.md describes how a program uses it.
import {
  ClientFrame,
  type ContractFeature,
  channelFrames,
  join,
  noIdentity,
  PUSH_PATH,
  type PushCatalogue,
  serverFrame,
} from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import type { z } from 'zod'
import { exampleOf } from './examples.ts'
import { type Json, Schemas } from './schemas.ts'

const deliveries = {
  replayed: 'Told again to who comes back with the `lastIdentity` of before it, as far as they may still know of it.',
  confirmed: 'Told again after each login, until confirmMsg has confirmed its `pushType` and `identity`.',
  ephemeral: 'Told once, to the socket that is open.',
  channel: 'Of the channel itself: it is kept nowhere, and its `identity` is 0.',
} as const

const description = `One WebSocket at ${PUSH_PATH}, JSON texts both ways. The first frame is \`login\`; what follows are
\`welcome\` and then pushes, each with the \`identity\` of its place among the events. Who comes back sends the last
\`identity\` and \`epoch\` it has seen and is told what it missed, or by \`refetch\` that it has to read again what it
shows. Everything comes at least once: drop what you have seen by \`identity\`. A change to a folder is one frame, whatever
the folder holds.`

interface Message {
  readonly name: string
  readonly schema: z.ZodType
  readonly summary: string
  readonly description: string
  readonly from: 'client' | 'server'
  /** Where the fields by themselves do not make a frame that is sent. */
  readonly example?: Json
}

/** Builds the AsyncAPI document with the frames of the channel and the pushes of these features. */
export function asyncApi(features: readonly ContractFeature[]): Json {
  const pushes = join<PushCatalogue>(
    features.map((feature) => feature.pushes),
    'push',
  )
  const [login, heartbeat] = ClientFrame.options
  const told = [
    ...Object.entries(channelFrames).map(([name, { summary }]) => ({ name, summary, how: deliveries.channel })),
    ...Object.entries(pushes).map(([name, { summary, delivery }]) => ({ name, summary, how: deliveries[delivery] })),
  ]
  const frames: readonly z.ZodType[] = serverFrame(pushes).options
  const messages: Message[] = [
    {
      name: 'login',
      schema: login,
      summary: 'Signs the socket in: its first frame',
      description: loginDescription,
      from: 'client',
      example: loginExample,
    },
    {
      name: 'clientHeartbeat',
      schema: heartbeat,
      summary: 'Says that the client is there',
      description:
        'Every 30 s; a socket that is silent for 90 s is given up. An answer to a WebSocket ping counts as well.',
      from: 'client',
    },
    ...told.flatMap(({ name, summary, how }, at): Message[] => {
      const schema = frames[at]
      if (schema === undefined) return []
      const example = name === 'refusal' ? { example: refusalExample } : {}
      return [{ name, schema, summary, description: how, from: 'server', ...example }]
    }),
  ]
  const schemas = new Schemas()
  const described = messages.map(({ name, schema, from, example, ...texts }) => {
    const payload = schemas.of(schema, from === 'client' ? 'input' : 'output')
    const examples = [{ name: 'usual', payload: example ?? exampleOf(payload, schemas.named) }]
    return [name, { name, title: name, contentType: 'application/json', ...texts, payload, examples }]
  })
  const operation = (from: Message['from']): Json => ({
    action: from === 'client' ? 'receive' : 'send',
    channel: { $ref: '#/channels/live' },
    title: from === 'client' ? 'What a client sends' : 'What the server tells',
    summary:
      from === 'client'
        ? 'A login, then heartbeats and nothing else.'
        : 'The answer to the login, heartbeats and pushes.',
    messages: messages
      .filter((message) => message.from === from)
      .map(({ name }) => ({ $ref: `#/channels/live/messages/${name}` })),
  })
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Cloudoc: the live channel',
      version: '1',
      description,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      contact: { name: 'whoever runs this installation' },
      tags: [{ name: 'push', description: 'What the server tells by itself' }],
    },
    id: 'urn:cloudoc:live',
    defaultContentType: 'application/json',
    servers: {
      here: {
        host: '{host}',
        protocol: 'wss',
        description: 'The server that this description comes from; `ws` where it is reached without TLS.',
        variables: { host: { description: 'Its name and port.', default: 'localhost:8080' } },
      },
    },
    channels: {
      live: {
        address: PUSH_PATH,
        title: 'The live channel',
        messages: Object.fromEntries(
          messages.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }]),
        ) as Json,
        bindings: { ws: { method: 'GET' } },
      },
    },
    operations: { clientSends: operation('client'), serverTells: operation('server') },
    components: { messages: Object.fromEntries(described) as Json, schemas: schemas.named },
  }
}

/** A program that comes back: with its token and the last place that it has seen. */
const loginExample: Json = {
  ...{ cmd: 'login', token: 'Q2xvdWRvYyBhY2Nlc3MgdG9rZW4', clientType: 200 },
  ...{ lastIdentity: '8122', epoch: 'b7f0e2d1' },
}

const refusalExample: Json = {
  pushType: channelFrames.refusal.type,
  ...{ identity: noIdentity, epoch: 'b7f0e2d1' },
  data: { code: codes.notLoggedIn.code, msg: codes.notLoggedIn.zh },
}

const loginDescription = `Within 10 s after the socket has opened, once. \`token\` is the accessToken; \`lastIdentity\` and \`epoch\`
are those of the last frame that the client has seen, both empty for one that begins.`
