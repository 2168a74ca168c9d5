// Letters that look like others: a name or a domain written with them pretends to be another one.
import { domainToASCII } from 'node:url'

// Cyrillic and Greek letters, by code: nobody could tell them from those that they look like.
const others =
  '\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0456\u0455\u0458\u0501\u04bb\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03bd\u03b9\u03b1'
const look = 'aceopxyisjdhABEKMHOPCTXABEZHIKMNOPTYXovia'
const latin: ReadonlyMap<string, string> = new Map([...others].map((letter, n) => [letter, look[n] ?? letter]))

/** The skeleton of a name (UTS 39): without marks that nobody sees, letters as the Latin ones that they look like. */
export function skeletonOf(name: string): string {
  return [...name.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')]
    .map((letter) => latin.get(letter) ?? letter)
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const otherScript = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u

/** An address whose domain has letters that look like Latin ones is written in the form that has none (punycode). */
export function plainAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  return otherScript.test(domain) ? address.slice(0, at) + (domainToASCII(domain) || domain) : address
}
