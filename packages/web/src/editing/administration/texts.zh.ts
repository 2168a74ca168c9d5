// The Chinese texts of this folder, which are loaded with its pages; texts.en.ts has the same keys.
export const editingPageZh = {
  'company.editing.file': '文件',
  'company.editing.library': '文档库',
  'company.editing.way': '方式',
  'company.editing.who': '编辑的人',
  'company.editing.since': '开始时间',
  'company.editing.more': '操作',
  'company.editing.way.alone': '一个人',
  'company.editing.way.together': '网页中多人',
  'company.editing.way.office': 'Office 服务器',
  'company.editing.end': '结束编辑',
  'company.editing.endOf': '结束“{name}”的编辑',
  'company.editing.ask': '结束 {who} 对“{name}”的编辑？没保存的内容会留在对方那里，可以另存。',
  'company.editing.ended': '已结束“{name}”的编辑',
  'company.editing.nothing': '现在没有人在编辑文件',
  'company.editing.next': '再显示一些',
} as const
