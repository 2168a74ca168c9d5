// The configuration of fontconfig by which LibreOffice replaces faces that are not installed.
import { dirname } from 'node:path'
import type { Fonts } from './fonts.ts'

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`

/** Rules that replace faces by others. `before` is what the configuration contains besides. */
export const fontRules = ({ substitutes }: Pick<Fonts, 'substitutes'>, before = ''): string =>
  `<?xml version="1.0"?><fontconfig>${before}${substitutes
    .map(
      ({ face, by }) =>
        `<match target="pattern"><test name="family" qual="any">${element('string', face)}</test>` +
        `<edit name="family" mode="append" binding="same">${by.map((one) => element('string', one)).join('')}</edit></match>`,
    )
    .join('')}</fontconfig>`

/** The configuration for an installed LibreOffice: that of the machine, the fonts of the product, and the rules. */
export function fontConfiguration(fonts: Fonts): string {
  const folders = [...new Set(fonts.files.map((path) => dirname(path)))].filter(
    (path) => !path.startsWith('/usr/share/'),
  )
  const include = '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>'
  return fontRules(fonts, include + folders.map((path) => element('dir', path)).join(''))
}
