// The words of the editors of documents, tables and presentations in English; office-texts.zh.ts has the same keys.
import type { English } from '../../core/i18n/i18n.ts'
import type { officeZh } from './office-texts.zh.ts'

export const officeEn: English<typeof officeZh> = {
  'editor.office.broken':
    'This file is damaged or unusual, so that it cannot be changed safely in the page. Download it to edit it on your computer',
  'editor.office.encrypted':
    'This file is protected by a password, or of before 2007. Download it to edit it on your computer',
  'editor.office.tooLarge': 'This file is too large for the page. Download it to edit it on your computer',
  'editor.office.kind': 'What is in this file is not what its name says. Download it to look at it',
  'editor.office.signed': 'This file is signed, and any change would end that; opened read-only',
  'editor.doc.protected': 'This document is protected against changes; opened read-only',
  'editor.doc.keeps':
    '{n} pieces of this document (contents, drawings, formulas and the like) cannot be changed in the page and are kept as they are',
  'editor.doc.keeps_one':
    'One piece of this document (contents, a drawing, a formula or the like) cannot be changed in the page and is kept as it is',
  'editor.doc.locked': 'Kept as it is; cannot be changed in the page',
  'editor.doc.kept.mark': 'Mark',
  'editor.doc.kept.field': 'Field',
  'editor.doc.kept.picture': 'Picture',
  'editor.doc.kept.object': 'Drawing',
  'editor.doc.kept.note': 'Note',
  'editor.doc.kept.formula': 'Formula',
  'editor.doc.kept.break': 'Page break',
  'editor.doc.kept.deleted': 'Deleted in a revision',
  'editor.doc.kept.other': 'Kept as it is',
  'editor.doc.looks': 'Looks',
  'editor.doc.style': 'Style',
  'editor.doc.style.0': 'Text',
  'editor.doc.style.1': 'Heading 1',
  'editor.doc.style.2': 'Heading 2',
  'editor.doc.style.3': 'Heading 3',
  'editor.doc.style.9': 'Title',
  'editor.doc.look.b': 'Bold',
  'editor.doc.look.i': 'Italic',
  'editor.doc.look.u': 'Underline',
  'editor.doc.count': '{n} characters',
  'editor.slides.words': 'Words: {text}',
  'editor.slides.empty': 'Click to write',
  'editor.slides.at': 'Slide {n} of {of}',
  'editor.slides.protected': 'This presentation is protected against changes; opened read-only',
  'editor.slides.keeps':
    '{n} pieces of this presentation (charts, diagrams and the like) cannot be changed in the page and are kept as they are',
  'editor.slides.keeps_one':
    'One piece of this presentation (a chart, a diagram or the like) cannot be changed in the page and is kept as it is',
  'editor.sheet.macros': 'Macros in it are kept and not run',
  'editor.sheet.chart': 'This sheet is a chart; it stays as it is',
  'editor.sheet.fixed.array': 'This cell is part of a formula of several cells, which cannot be changed here',
  'editor.sheet.fixed.table': 'This cell names a column of a table, which cannot be changed here',
  'editor.sheet.fixed.protected': 'This sheet is protected',
  'editor.table': 'Table',
  'editor.table.size': '{rows} rows, {columns} columns',
  'editor.table.asText': 'This table is too large for the grid; it is edited as text',
  'grid.readOnly': 'Opened read-only',
  'grid.name': 'Go to',
  'grid.formula': 'What is in the cell',
  'grid.cell': '{ref} {text}',
  'grid.sum': 'Sum {sum} · Average {average} · Count {n}',
}
