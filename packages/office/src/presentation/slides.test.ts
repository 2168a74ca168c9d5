// Editing the text of a presentation: frames that were not edited stay byte-identical.
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { openSlides, withSlidesDraft } from './slides.ts'

const relations = (all: readonly (readonly [id: string, kind: string, target: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
    .map(([id, kind, target]) => `<Relationship Id="${id}" Type="http://x/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`

const place = (words: string, more = '', xfrm = true): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr>${more}</p:nvPr></p:nvSpPr><p:spPr>${xfrm ? '<a:xfrm><a:off x="0" y="0"/><a:ext cx="9525" cy="9525"/></a:xfrm>' : ''}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>${words}</p:txBody></p:sp>`
const line = (text: string, rPr = '<a:rPr lang="zh-CN"/>'): string => `<a:p><a:r>${rPr}<a:t>${text}</a:t></a:r></a:p>`
const slide = (shapes: string): string =>
  `<p:sld xmlns:a="a" xmlns:p="p" xmlns:r="r"><p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>${shapes}</p:spTree></p:cSld></p:sld>`

const table =
  '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="t"/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="9525" cy="9525"/></p:xfrm><a:graphic><a:graphicData uri="table"><a:tbl><a:tblPr/><a:tblGrid><a:gridCol w="1"/></a:tblGrid><a:tr h="1"><a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>格一</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc><a:tc><a:txBody><a:bodyPr/><a:p><a:endParaRPr lang="en"/></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>'

function deckOf(first: string, notes = ''): Uint8Array {
  return zipSync({
    '_rels/.rels': strToU8(relations([['a', 'officeDocument', 'ppt/presentation.xml']])),
    'ppt/presentation.xml': strToU8(
      '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="s1"/><p:sldId id="257" r:id="s2"/></p:sldIdLst><p:sldSz cx="9144000" cy="5143500"/></p:presentation>',
    ),
    'ppt/_rels/presentation.xml.rels': strToU8(
      relations([
        ['s1', 'slide', 'slides/slide1.xml'],
        ['s2', 'slide', 'slides/slide2.xml'],
      ]),
    ),
    'ppt/slides/slide1.xml': strToU8(slide(first)),
    'ppt/slides/_rels/slide1.xml.rels': strToU8(relations([['n', 'notesSlide', '../notesSlides/notesSlide1.xml']])),
    'ppt/notesSlides/notesSlide1.xml': strToU8(
      `<p:notes xmlns:a="a" xmlns:p="p"><p:cSld><p:spTree>${place(notes, '<p:ph type="body"/>')}</p:spTree></p:cSld></p:notes>`,
    ),
    'ppt/slides/slide2.xml': strToU8(slide(place(line('第二页')))),
    'docProps/app.xml': strToU8('<x/>'),
  })
}
const partOf = (bytes: Uint8Array, name: string): string => strFromU8(unzipSync(bytes)[name] ?? new Uint8Array())
const differing = (a: Uint8Array, b: Uint8Array): string[] => {
  const [before, after] = [unzipSync(a), unzipSync(b)]
  return Object.keys(before).filter((name) => !Buffer.from(before[name] ?? []).equals(after[name] ?? Buffer.of()))
}
const find = (deck: ReturnType<typeof openSlides>, words: string): number => {
  const found = deck.places.find(({ id }) => deck.words(id) === words)
  if (found === undefined) throw new Error(`no ${words}`)
  return found.id
}

// [R171] Text of slides, their tables and notes is edited in place; untouched content stays unchanged.
it('[R171] words of a slide, of its table and of its notes are written at their places; all else is byte for byte as it was', () => {
  const styled =
    '<a:p><a:pPr lvl="1"/><a:r><a:rPr b="1"/><a:t>红</a:t></a:r><a:r><a:rPr i="1"/><a:t>绿</a:t></a:r><a:br><a:rPr/></a:br><a:r><a:t>蓝</a:t></a:r></a:p>'
  const shapes = `${place(`${line('标题')}\n  ${styled}`)}${table}${place('<a:p><a:endParaRPr sz="1800"/></a:p>', '<p:ph type="body"/>')}`
  const bytes = deckOf(shapes, line('备注'))
  const deck = openSlides(bytes)
  expect(deck.bytes()).toBe(bytes)
  expect(deck.places.map(({ id, slide: on, isNotes }) => [deck.words(id), on, isNotes])).toEqual([
    ['标题\n红绿\n蓝', 0, false],
    ['格一', 0, false],
    ['', 0, false],
    ['', 0, false],
    ['备注', 0, true],
    ['第二页', 1, false],
    ['', 1, true],
  ])
  deck.type(0, '标题\n红色绿\n蓝')
  deck.type(find(deck, '格一'), '格 & 一')
  deck.type(find(deck, '备注'), '备注二')
  deck.type(3, '新')
  const made = deck.bytes()
  expect(differing(bytes, made)).toEqual(['ppt/slides/slide1.xml', 'ppt/notesSlides/notesSlide1.xml'])
  expect(partOf(made, 'ppt/slides/slide1.xml')).toBe(
    slide(shapes)
      .replace('<a:t>红</a:t>', '<a:t>红色</a:t>')
      .replace('格一', '格 &amp; 一')
      .replace(
        '<a:p><a:endParaRPr sz="1800"/></a:p>',
        '<a:p><a:r><a:rPr sz="1800"/><a:t>新</a:t></a:r><a:endParaRPr sz="1800"/></a:p>',
      ),
  )
  while (deck.undo() !== undefined);
  expect(deck.bytes()).toBe(bytes)
  expect(openSlides(made).words(0)).toBe('标题\n红色绿\n蓝')
})

it('lines are split, joined, added and taken away; each keeps how it stands', () => {
  const shapes = place(`${line('一二')}<a:p><a:pPr lvl="1"/><a:r><a:rPr b="1"/><a:t>三</a:t></a:r></a:p>${line('四')}`)
  const words = (typed: string): string => {
    const deck = openSlides(deckOf(shapes))
    deck.type(0, typed)
    return /<a:lstStyle\/>(.*?)<\/p:txBody>/s.exec(partOf(deck.bytes(), 'ppt/slides/slide1.xml'))?.[1] ?? ''
  }
  const three = '<a:p><a:pPr lvl="1"/><a:r><a:rPr b="1"/><a:t>三</a:t></a:r></a:p>'
  expect(words('一\n二\n三\n四')).toBe(`${line('一')}${line('二')}${three}${line('四')}`)
  expect(words('一二三\n四')).toBe(
    `<a:p><a:r><a:rPr lang="zh-CN"/><a:t>一二</a:t></a:r><a:r><a:rPr b="1"/><a:t>三</a:t></a:r></a:p>${line('四')}`,
  )
  expect(words('一二\n三\n三又\n四')).toBe(`${line('一二')}${three}${three.replace('三', '三又')}${line('四')}`)
  expect(words('一二')).toBe(line('一二'))
  expect(words('')).toBe('<a:p></a:p>')
})

it('fields stay until they are typed into, links end where they ended, pieces that are not known stay', () => {
  const field = '<a:fld id="{1}" type="slidenum"><a:rPr lang="en"/><a:t>12</a:t></a:fld>'
  const link = '<a:r><a:rPr u="1"><a:hlinkClick r:id="x"/></a:rPr><a:t>网址</a:t></a:r>'
  const odd = '<a14:m xmlns:a14="q"><x/></a14:m>'
  const typed = (words: (text: string) => string): string => {
    const deck = openSlides(deckOf(place(`<a:p>${field}${odd}${link}</a:p>`)))
    deck.type(0, words(deck.words(0)))
    return /<a:lstStyle\/>(.*?)<\/p:txBody>/s.exec(partOf(deck.bytes(), 'ppt/slides/slide1.xml'))?.[1] ?? ''
  }
  expect(typed((text) => `${text}后`)).toBe(
    `<a:p>${field}${odd}${link}<a:r><a:rPr u="1"></a:rPr><a:t>后</a:t></a:r></a:p>`,
  )
  expect(typed((text) => text.replace('网址', '网的址'))).toContain(link.replace('网址', '网的址'))
  expect(typed((text) => text.replace('12', '13'))).toContain('<a:r><a:rPr lang="en"/><a:t>1</a:t></a:r>')
})

it('[R175] a draft is the parts that differ, and goes on from there', () => {
  const bytes = deckOf(place(line('一')), line('注'))
  const deck = openSlides(bytes)
  expect(deck.draft()).toBe('')
  deck.type(0, '一二')
  const draft = deck.draft()
  const again = openSlides(bytes, draft)
  expect([again.words(0), again.draft()]).toEqual(['一二', draft])
  again.type(0, '一二三')
  expect(partOf(again.bytes(), 'ppt/slides/slide1.xml')).toBe(slide(place(line('一二三'))))
  expect(partOf(withSlidesDraft(bytes, draft), 'ppt/slides/slide1.xml')).toBe(slide(place(line('一二'))))
})

it('what was typed in one go is one step; words are drawn as they are now', () => {
  const deck = openSlides(deckOf(place(line('一'))))
  deck.type(0, '一a')
  deck.type(0, '一ab', true)
  deck.type(0, '一abc')
  expect(deck.blocks(0)).toMatchObject([{ is: 'text', runs: [{ text: '一abc' }] }])
  expect([deck.undo()?.id, deck.words(0)]).toEqual([0, '一ab'])
  expect([deck.undo()?.id, deck.words(0), deck.undo()]).toEqual([0, '一', undefined])
  deck.redo()
  expect(deck.words(0)).toBe('一ab')
})

// [R185] Content of slides that cannot be edited is preserved and counted.
it('[R185] words that stand there twice, and what no slide of ours draws, are only kept', () => {
  const chart =
    '<p:graphicFrame><p:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></p:xfrm><a:graphic><a:graphicData uri="chart"/></a:graphic></p:graphicFrame>'
  const twice = `<mc:AlternateContent xmlns:mc="m"><mc:Choice>${place(line('双'))}</mc:Choice><mc:Fallback>${place(line('双'))}</mc:Fallback></mc:AlternateContent>`
  const deck = openSlides(deckOf(chart + twice + place(line('可改'))))
  expect(deck.kept).toBe(2)
  expect(deck.places.filter(({ slide: on, isNotes }) => on === 0 && !isNotes).map(({ id }) => deck.words(id))).toEqual([
    '可改',
  ])
})

it('text that no part places and the texts of a diagram are read and drawn', () => {
  const diagram =
    '<p:graphicFrame><p:xfrm><a:off x="0" y="0"/><a:ext cx="9525" cy="9525"/></p:xfrm><a:graphic><a:graphicData uri="diagram"><dgm:relIds xmlns:dgm="d" r:dm="d1"/></a:graphicData></a:graphic></p:graphicFrame>'
  const deck = openSlides(
    zipSync({
      ...unzipSync(deckOf(`${place(line('无处'), '', false)}${diagram}`)),
      'ppt/slides/_rels/slide1.xml.rels': strToU8(relations([['d1', 'diagramData', '../diagrams/data1.xml']])),
      'ppt/diagrams/data1.xml': strToU8(
        `<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:ptLst><dgm:pt><dgm:t>${line('第一步')}</dgm:t></dgm:pt><dgm:pt><dgm:t>${line('第二步')}</dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`,
      ),
    }),
  )
  const texts = deck.deck.slides[0]?.shapes.map(({ blocks }) =>
    blocks?.flatMap((block) => (block.is === 'text' ? block.runs.map((run) => ('text' in run ? run.text : '')) : [])),
  )
  expect(texts).toEqual([['无处'], ['第一步', '第二步']])
  expect(deck.places.map(({ id }) => deck.words(id))).toContain('无处')
})

// [R171] Notes are added to slides without any; their parts, relationships, content types and master are created, the
// rest stays byte for byte.
it('[R171] a slide without notes gets some when they are typed: their parts, relations and types, all else as it was', () => {
  const bytes = zipSync({
    ...unzipSync(deckOf(place(line('标题')), line('备注'))),
    '[Content_Types].xml': strToU8('<Types xmlns="x"></Types>'),
    'ppt/slideMasters/slideMaster1.xml': strToU8('<p:sldMaster xmlns:p="p"/>'),
  })
  const deck = openSlides(bytes)
  expect(deck.places.map(({ id, slide: on, isNotes }) => [id, deck.words(id), on, isNotes])).toEqual([
    [0, '标题', 0, false],
    [1, '备注', 0, true],
    [2, '第二页', 1, false],
    [3, '', 1, true],
  ])
  deck.type(3, '说的话\n第二段')
  const made = deck.bytes()
  const added = Object.keys(unzipSync(made)).filter((name) => unzipSync(bytes)[name] === undefined)
  expect(added.toSorted((a, b) => a.localeCompare(b))).toEqual([
    'ppt/notesMasters/notesMaster1.xml',
    'ppt/notesSlides/_rels/notesSlide2.xml.rels',
    'ppt/notesSlides/notesSlide2.xml',
    'ppt/slides/_rels/slide2.xml.rels',
  ])
  expect(differing(bytes, made).toSorted((a, b) => a.localeCompare(b))).toEqual([
    '[Content_Types].xml',
    'ppt/_rels/presentation.xml.rels',
    'ppt/presentation.xml',
  ])
  expect(partOf(made, 'ppt/notesSlides/notesSlide2.xml')).toContain('<a:p><a:r><a:t>第二段</a:t></a:r></a:p>')
  expect(partOf(made, 'ppt/presentation.xml')).toContain('r:id="rIdCdNotesMaster"/></p:notesMasterIdLst><p:sldIdLst>')
  // Read again, they are ordinary notes; the draft contains them; undo removes them completely.
  const again = openSlides(made)
  expect(again.deck.slides[1]?.notes).toBe('说的话\n第二段')
  expect(again.bytes()).toBe(made)
  const kept = deck.draft()
  expect(unzipSync(withSlidesDraft(bytes, kept))).toEqual(unzipSync(made))
  const drafted = openSlides(bytes, kept)
  expect(drafted.words(3)).toBe('说的话\n第二段')
  drafted.type(3, '另外的话')
  expect(partOf(drafted.bytes(), 'ppt/notesSlides/notesSlide2.xml')).toContain('另外的话')
  deck.undo()
  expect(deck.bytes()).toBe(bytes)
})
