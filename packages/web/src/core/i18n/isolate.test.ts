import { expect, test } from 'vitest'
import { isolated } from './isolate.ts'

test('a name that is written from the right, or that turns what follows, is isolated; others stay as they are', () => {
  for (const plain of ['合同 (1).docx', 'Q3 report.xlsx', 'ไทย', '纪\u200B要', '😀.png'])
    expect(isolated(plain)).toBe(plain)
  for (const turning of ['تقرير.docx', 'דוח 2024', 'a\u202Efdp.exe', 'x\u200F', '\u{1E900}.txt']) {
    expect(isolated(turning)).toBe(`\u2068${turning}\u2069`)
  }
})
