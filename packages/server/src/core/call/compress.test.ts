// The concatenation of compressed parts is valid gzip for any client.
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gzipOf, Part } from './compress.ts'

test('any bytes in any parts come out of gzip as they went in, whatever the parts were used for before', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 5000 }),
    fc.string({ maxLength: 3000 }).map((text) => Buffer.from(text)),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(bytes, { maxLength: 12 }),
      fc.array(fc.nat(11), { maxLength: 20 }),
      async (all, order) => {
        const parts = all.map((each) => new Part(Buffer.from(each)))
        const chosen = order.map((n) => parts[n]).filter((part) => part !== undefined)
        for (const some of [parts, chosen]) {
          const whole = Buffer.concat(some.map((part) => part.bytes))
          expect(gunzipSync(await gzipOf(some)).equals(whole)).toBe(true)
        }
      },
    ),
  )
})

test('a part is compressed once', async () => {
  const part = new Part(Buffer.from('a page of many rows, '.repeat(1000)))
  await gzipOf([part])
  expect(await part.deflated()).toBe(await part.deflated())
  expect((await gzipOf([part, part])).length).toBeLessThan(1000)
})
