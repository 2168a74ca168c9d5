// Tests asyncapi.json as other programs use it: the standard parser reports no errors, and the messages on the channel
// match it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from '@asyncapi/parser'
import { channelFrames, PUSH_PATH, pushes } from '@cloudoc/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sharedWorld } from './harness.ts'

const world = sharedWorld({ elected: false })

interface Document {
  readonly channels: { readonly live: { readonly address: string } }
  readonly components: {
    readonly messages: Record<string, { payload: object; summary: string; examples: { payload: unknown }[] }>
    readonly schemas: Record<string, object>
  }
}

const described = async (): Promise<{ text: string; document: Document }> => {
  const text = (await world.app.http.inject({ url: '/services2/asyncapi.json' })).body
  return { text, document: JSON.parse(text) as Document }
}

test('[R308] the parser of AsyncAPI finds nothing in the description, which names every frame', async () => {
  const { text, document } = await described()
  const diagnostics = await new Parser().validate(text)
  expect(diagnostics.map(({ code, message, path }) => [code, message, path.join('/')])).toEqual([])
  expect(document.channels.live.address).toBe(PUSH_PATH)
  const names = ['login', 'clientHeartbeat', ...Object.keys({ ...channelFrames, ...pushes })]
  expect(Object.keys(document.components.messages).sort()).toEqual(names.sort())
})

// [R308] The channel is described for programs, and its frames match the description.
test('[R308] what comes over the channel is what the description says, its examples too', async () => {
  const { document } = await described()
  const { messages, schemas } = document.components
  const readerOf = (name: string): z.ZodType => {
    const whole = JSON.stringify({ ...messages[name]?.payload, $defs: schemas })
    return z.fromJSONSchema(JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')) as never)
  }
  for (const [name, { examples }] of Object.entries(messages)) {
    for (const { payload } of examples) expect(readerOf(name).safeParse(payload).error, name).toBeUndefined()
  }
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  const channel = await ben.listen()
  const folderId = await anna.folder(anna.library, 'told')
  await anna.shares({ folderId }, [{ to: ben, rights: 510 }])
  await anna.upload(folderId, 'a.txt')
  await world.app.settle()
  await channel.next(({ pushType }) => pushType === pushes.fileChange.type)
  const nameOf = new Map(
    Object.entries({ ...channelFrames, ...pushes }).map(([name, { type }]) => [type as number, name]),
  )
  const came = new Set(channel.frames.map(({ pushType }) => nameOf.get(pushType) ?? ''))
  expect([...came]).toEqual(expect.arrayContaining(['welcome', 'folderChange', 'fileChange', 'shareRemind']))
  for (const frame of channel.frames) {
    const name = nameOf.get(frame.pushType) ?? ''
    expect(readerOf(name).safeParse(frame).error, name).toBeUndefined()
    expect(readerOf(name).safeParse({ ...frame, data: null }).success).toBe(false)
  }
})

test('the page about the channel names its path, what a login says, and every push there is', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/live-channel.md'), 'utf8')
  for (const part of [PUSH_PATH, '"cmd": "login"', 'lastIdentity', 'epoch', 'refetch', 'operateType'])
    expect(page).toContain(part)
  for (const [name, { type }] of Object.entries({ ...channelFrames, ...pushes })) {
    expect(page, name).toContain(name)
    expect(page, name).toContain(String(type))
  }
})
