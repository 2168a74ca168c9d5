/*
 * UTF-7 (RFC 2152), the encoding of names in WOPI headers: text beyond plain ASCII is base64 of UTF-16 between `+` and
 * `-`.
 */
const direct = /^[\w '(),./:?!"#$%&*;<=>@[\]^`{|}-]$/

export function fromUtf7(text: string): string {
  return text.replace(/\+([A-Za-z0-9+/]*)-?/g, (whole, coded: string) => {
    if (coded === '') return whole === '+-' ? '+' : whole
    const bytes = Buffer.from(coded, 'base64')
    return bytes
      .subarray(0, bytes.length & ~1)
      .swap16()
      .toString('utf16le')
  })
}

export function toUtf7(text: string): string {
  const plain = (char: string): boolean => direct.test(char)
  let out = ''
  let coded = ''
  const end = (): void => {
    if (coded === '') return
    out += `+${Buffer.from(coded, 'utf16le').swap16().toString('base64').replace(/=+$/, '')}-`
    coded = ''
  }
  for (const char of text) {
    if (plain(char)) {
      end()
      out += char
    } else if (char === '+') {
      end()
      out += '+-'
    } else coded += char
  }
  end()
  return out
}
