import { expect, test } from 'vitest'
import { fontConfiguration } from './font-rules.ts'

// [R163] An installed LibreOffice replaces the Chinese faces of Windows as its WebAssembly build does: 宋体 by a serif
// face.
test('[R163] an installed LibreOffice is given the fonts of the product and the rules for Chinese faces', () => {
  const written = fontConfiguration({
    files: ['/opt/fonts/a.otf', '/opt/fonts/b.otf', '/usr/share/fonts/c.ttc'],
    substitutes: [{ face: '宋体 & <more>', by: ['Noto Serif CJK SC', 'Noto Sans Hans'] }],
  })
  expect(written).toContain('<include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>/opt/fonts</dir><match')
  expect(written).toContain('<string>宋体 &amp; &lt;more></string>')
  expect(written).toContain('<string>Noto Serif CJK SC</string><string>Noto Sans Hans</string>')
})
