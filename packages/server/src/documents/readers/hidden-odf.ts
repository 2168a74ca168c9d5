// What an OpenDocument file contains and does not show: comments, tracked changes, descriptions, properties, objects.
import type { HiddenContentKind } from '@cloudoc/domain'
import { propertiesText, wholeText } from '@cloudoc/office/package'
import { Refused } from '../refusal.ts'
import type { OfficePackage } from './package.ts'
import type { Hidden } from './reader.ts'
import { descendants, type Element, textOf } from './xml.ts'

const placesOfElements: Readonly<Record<string, HiddenContentKind>> = {
  'office:annotation': 'comment',
  'text:tracked-changes': 'revision',
  'text:hidden-text': 'hidden',
  'text:hidden-paragraph': 'hidden',
  'svg:title': 'alternative',
  'svg:desc': 'alternative',
}

export function reportHiddenOfOdf(office: OfficePackage, content: Element | undefined, hidden: Hidden): void {
  const add = (place: HiddenContentKind, text: string): void => {
    if (text.trim() !== '') hidden.add({ kind: 'whole', name: '', place, text })
  }
  for (const [name, place] of Object.entries(placesOfElements))
    for (const one of descendants(content, name)) {
      add(place, wholeText(one))
      add(place, one.attributes['text:string-value'] ?? '')
    }
  const properties = office.xml('meta.xml')
  if (properties !== undefined) add('property', propertiesText(properties))
  for (const { path } of office.zip.entries) {
    try {
      // A LibreOffice object is a package of its own inside this one; an object of another program is one file.
      if (/^Object [^/]+\/content\.xml$/.test(path)) add('embedded', wholeText(office.xml(path) ?? empty))
      else if (/^Object [^/]+$/.test(path)) {
        const bytes = office.zip.bytes(path)
        if (bytes !== undefined) hidden.enclose(path, bytes)
      }
    } catch (error) {
      hidden.leave(path, error instanceof Refused ? error.code : 'conversionFailed')
    }
  }
  // Hidden runs are not in the text of the document.
  for (const style of descendants(content, 'style:style')) {
    const isHidden = [...descendants(style, 'style:text-properties')].some(
      ({ attributes }) => attributes['text:display'] === 'none',
    )
    if (!isHidden) continue
    for (const span of descendants(content, 'text:span'))
      if (span.attributes['text:style-name'] === style.attributes['style:name']) add('hidden', textOf(span))
  }
}

const empty: Element = { name: '', attributes: {}, children: [] }
