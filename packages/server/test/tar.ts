// Builds tars with the headers of several kinds of writers, for tests.

/** One entry of a tar. */
export interface TarPart {
  readonly name: string | Buffer
  readonly text?: string | Buffer
  readonly type?: string
  readonly magic?: string
  readonly prefix?: string
  readonly size?: Buffer
}

/** One header of a tar and the bytes that follow it. */
function tarPart({ name, text = '', type = '0', magic = 'ustar\u000000', prefix = '', size }: TarPart): Buffer {
  const [head, body] = [Buffer.alloc(512), Buffer.from(text)]
  Buffer.from(name).copy(head, 0, 0, 100)
  head.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124)
  size?.copy(head, 124)
  head.write('14571563400\0', 136)
  head.write('        ', 148)
  head.write(type, 156)
  head.write(magic, 257)
  head.write(prefix, 345)
  const sum = head.reduce((all, byte) => all + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([head, body, Buffer.alloc((512 - (body.length % 512)) % 512)])
}
/** Builds a tar of entries. */
export const tarOf = (...all: readonly TarPart[]): Buffer => Buffer.concat([...all.map(tarPart), Buffer.alloc(1024)])

/** The entry that holds pax records about the next one, or with the type g about all. */
export function pax(records: Readonly<Record<string, string | Buffer>>, type = 'x'): TarPart {
  const made = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from('\n')])
    let length = rest.length
    while (length !== rest.length + String(length).length) length = rest.length + String(length).length
    return Buffer.concat([Buffer.from(String(length)), rest])
  })
  return { name: 'PaxHeaders/x', type, text: Buffer.concat(made) }
}
