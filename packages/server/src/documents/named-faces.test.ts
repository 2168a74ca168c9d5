import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { zipOf } from '../../test/corpus.ts'
import { namedFaces, replacedFaces } from './named-faces.ts'

const run = (fonts: string, text: string): string => `<w:r><w:rPr><w:rFonts ${fonts}/></w:rPr><w:t>${text}</w:t></w:r>`
const theme =
  '<a:theme><a:fontScheme><a:majorFont><a:latin typeface="Cambria"/><a:ea typeface=""/><a:font script="Hans" typeface="黑体"/></a:majorFont>' +
  '<a:minorFont><a:latin typeface="Calibri"/><a:ea typeface=""/><a:font script="Hans" typeface="等线"/></a:minorFont></a:fontScheme></a:theme>'
const pdf = (...names: string[]): Buffer =>
  Buffer.from(names.map((name) => `<</Type/Font/BaseFont/BAAAAA+${name}/Subtype/TrueType>>`).join('\n'), 'latin1')

// [R163] The faces that a document names for its text are known: of Word, PowerPoint, OpenDocument and RTF files by their
// formatting, of the old binary formats the common ones.
test('[R163] the faces that documents name for text they contain', () => {
  const document = zipOf({
    'word/document.xml': `<w:document><w:body><w:p>${run('w:eastAsia="仿宋_GB2312" w:ascii="Georgia"', '只有汉字')}${run('', 'Latin')}</w:p></w:body></w:document>`,
    'word/styles.xml':
      '<w:styles><w:style w:type="paragraph" w:default="1" w:styleId="a"><w:rPr><w:rFonts w:eastAsia="楷体"/></w:rPr></w:style></w:styles>',
    'word/theme/theme1.xml': theme,
  })
  expect(namedFaces(Buffer.from(document), 'docx')).toEqual(['仿宋_GB2312', 'Calibri'])
  const slides = zipOf({
    'ppt/slides/slide1.xml':
      '<p:sld><a:p><a:r><a:rPr><a:ea typeface="微软雅黑"/><a:latin typeface="+mn-lt"/></a:rPr><a:t>目录</a:t></a:r></a:p></p:sld>',
    'ppt/theme/theme1.xml': theme,
  })
  expect(namedFaces(Buffer.from(slides), 'pptx')).toEqual(['微软雅黑', '黑体', '等线'])
  const text = zipOf({
    'content.xml':
      '<d><style:font-face style:name="K1" svg:font-family="\'华文楷体\'"/><style:font-face style:name="K2" svg:font-family="Unused"/><style:text-properties style:font-name-asian="K1"/></d>',
  })
  expect(namedFaces(Buffer.from(text), 'odt')).toEqual(['华文楷体'])
  const rich = String.raw`{\rtf1{\fonttbl{\f0\froman\fcharset0 Times New Roman;}{\f1\fnil\fcharset134 \'cb\'ce\'cc\'e5;}}\f1 text}`
  expect(namedFaces(Buffer.from(rich, 'latin1'), 'rtf')).toEqual(['宋体'])
  const old = Buffer.concat([Buffer.alloc(600), Buffer.from('方正小标宋简体\0', 'utf16le')])
  expect(namedFaces(old, 'doc')).toEqual(['方正小标宋简体'])
  expect(() => namedFaces(Buffer.from(zipSync({ 'word/document.xml': Buffer.from('<w:p>') })), 'docx')).toThrow()
})

// [R163] A face counts as replaced where the PDF has no font of its name in either language.
test('[R163] which faces were replaced is told by the fonts of the PDF', () => {
  const named = ['宋体', '微软雅黑', 'Times New Roman', 'Calibri']
  expect(replacedFaces(named, pdf('SimSun', 'TimesNewRomanPSMT', 'Carlito', 'NotoSansCJKsc-Regular'))).toEqual([
    '微软雅黑',
    'Calibri',
  ])
  expect(replacedFaces(['思源宋体'], pdf('#E6#80#9D#E6#BA#90#E5#AE#8B#E4#BD#93-Regular'))).toEqual([])
  expect(replacedFaces(named, Buffer.from('%PDF- without text'))).toEqual([])
})
