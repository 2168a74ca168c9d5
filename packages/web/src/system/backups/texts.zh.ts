// Texts of the page of backups, loaded with it.
export const backupZh = {
  'backup.never': '还没有做过备份',
  'backup.last': '上次备份：{when}',
  'backup.now': '立即备份',
  'backup.running.backup': '正在备份 {n}%',
  'backup.running.check': '正在检查备份 {n}%',
  'backup.failed': '上次备份没有完成：{why}',
  'backup.folder': '备份存放在服务器的文件夹：',
  'backup.beside':
    '这个文件夹和数据在一起，磁盘损坏时会一同丢失。请用 --backup-dir 指定另一块磁盘上的文件夹，或定期把它复制到别处。',
  'backup.column.time': '备份时间',
  'backup.column.rows': '记录数',
  'backup.column.contents': '文件内容数',
  'backup.column.size': '大小',
  'backup.column.checked': '能否恢复',
  'backup.check': '检查能否恢复',
  'backup.unchecked': '未检查',
  'backup.whole': '完好，{when} 检查',
  'backup.broken': '有 {n} 个问题',
  'backup.damaged': '{n} 个内容在备份前已损坏',
  'backup.nothing': '还没有备份',
  'backup.nothingMore': '点击“立即备份”。备份期间大家可以照常工作。',
  'backup.restore': '如何恢复',
  'backup.restoreMore':
    '恢复会替换全部数据，因此在服务器上进行：先停止服务，准备一个空的数据文件夹和空的数据库，再运行：',
  'backup.copy': '复制命令',
} as const
