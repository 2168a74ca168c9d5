// The Chinese texts of this folder, which are loaded with its pages; texts.en.ts has the same keys.
export const sharedZh = {
  'company.column.name': '名称',
  'company.column.owner': '所有者',
  'company.column.grown': '近 30 天',
  'company.column.space': '已用 / 配额',
  'company.column.versions': '版本',
  'company.column.bin': '回收站',
  'company.column.used': '已用',
  'company.column.quota': '配额',
  'company.column.person': '姓名',
  'company.column.account': '账号',
  'company.column.group': '部门',
  'company.column.signedIn': '最后登录',
  'company.column.library': '文档库',
  'company.column.downloads': '下载次数',
  'company.column.size': '大小',
  'company.column.lastDownload': '最后下载',
} as const
