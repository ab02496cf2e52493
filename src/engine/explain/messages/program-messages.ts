/** What programs in containers print about their volumes before they exit, as it appears in descriptions and logs. */

import type { MessagePattern } from "./message-pattern.ts";

export const programMessages: readonly MessagePattern[] = [
  {
    id: "chown-refused",
    component: "program in the container",
    rule: "what chown prints: chown(2) asks for CAP_CHOWN",
    texts: [
      "{before}chown: changing ownership of '{path}': Operation not permitted",
      "{before}chown: changing ownership of {path}: Operation not permitted",
      "{before}chown: {path}: Operation not permitted",
    ],
    outlook: "retried",
    cause:
      "A container may not give {path} to another user: it does not run as root, has dropped the capability CHOWN, or the storage decides about owners, as NFS that squashes root, SMB and access points of EFS do.",
    change: [
      "leave the owner as it is, and set fsGroup where the volume takes it",
      "let the container that calls chown run as root: securityContext.runAsUser: 0",
      "set owners where the storage decides: uid and gid of the class or in mountOptions",
    ],
  },
  {
    id: "chown-impossible",
    component: "program in the container",
    rule: "what chown prints: EIO, EINVAL, EOPNOTSUPP, ENOSYS of chown(2)",
    texts: [
      "Input/output error",
      "Invalid argument",
      "Operation not supported",
      "Function not implemented",
    ].flatMap((error) => [
      `{before}chown: changing ownership of '{path}': ${error}`,
      `{before}chown: {path}: ${error}`,
    ]),
    outlook: "retried",
    cause:
      "The file system at {path} cannot give files to that user: a mounted bucket (FUSE) keeps no owners, and NFS version 4 refuses users that its mapping of names does not know.",
    change: [
      "of a bucket: use a disk or NFS; whose the files are, the options of its mount say (uid, gid)",
      "of NFS: have server and nodes map names alike (idmapd.conf), or use nfsvers=3",
      "leave the owner as it is, and run the program as the user that owns the files",
    ],
  },
  {
    id: "no-temporary-files",
    component: "program in the container",
    rule: "what bash and mktemp print: EROFS of open(2)",
    texts: [
      "{before}cannot create temp file for here-document: Read-only file system",
      "{before}mktemp: failed to create file via template '{template}': Read-only file system",
    ],
    outlook: "retried",
    cause:
      "A script of the container needs a temporary file, and /tmp is read-only, as all of the image is with readOnlyRootFilesystem.",
    change: [
      "mount an emptyDir at /tmp, and at whatever else the image writes to as it starts",
      "leave out readOnlyRootFilesystem",
    ],
  },
  {
    id: "written-read-only",
    component: "program in the container",
    rule: "EROFS of open(2), mkdir(2), chown(2)",
    texts: [
      "{before}EROFS: read-only file system, {call} '{path}'{rest}",
      "{before}EROFS: read-only file system, {call} '{path}",
      "{before}chown: changing ownership of '{path}': Read-only file system",
      "{before}chown: {path}: Read-only file system",
      "{before}chmod: changing permissions of '{path}': Read-only file system",
      "{before}chmod: {path}: Read-only file system",
      "{before}cannot create regular file '{path}': Read-only file system",
      '{before}could not create lock file "{path}": Read-only file system',
      "{before}mkdir: can't create directory '{path}': Read-only file system",
      "{before}mkdir: cannot create directory '{path}': Read-only file system",
      "{before}touch: cannot touch '{path}': Read-only file system",
      "{before}sed: can't create temp file '{path}': Read-only file system",
      "{before}can't create {path}: Read-only file system",
      "{before}cannot create {path}: Read-only file system",
      '{before}() "{path}" failed (30: Read-only file system)',
    ],
    outlook: "retried",
    cause:
      "A container writes to {path}, which it only has to read: what is mounted from a ConfigMap, a Secret or a projected volume always is, so is a volume that is mounted with readOnly, and with readOnlyRootFilesystem the image itself.",
    change: [
      "of a ConfigMap or Secret: mount it beside the directory that the program writes to, or only its files into it (subPath); or let an initContainer copy them to an emptyDir there",
      "elsewhere: look at readOnly of the mount and the volume, or mount an emptyDir there",
    ],
  },
  {
    id: "directory-not-writable",
    component: "program in the container",
    rule: "what mkdir, databases and the images of Grafana, Elasticsearch and Jenkins print: mkdir(2) and open(2) ask for the right to write to the directory above",
    texts: [
      "{before}mkdir: can't create directory '{path}': Permission denied",
      "{before}mkdir: cannot create directory '{path}': Permission denied",
      "{before}mkdir: cannot create directory ‘{path}’: Permission denied",
      "{before}touch: cannot touch '{path}': Permission denied",
      '{before}Failed to write PID file "{path}": permission denied',
      "{before}cannot create regular file '{path}': Permission denied",
      "{before}cannot create {path}: Permission denied",
      "{before}can't create {path}: Permission denied",
      "{before}java.nio.file.AccessDeniedException: {path}",
      "{before}AccessDeniedException[{path}]{rest}",
      "Can not write to {path}. Wrong volume permissions?",
      '{before}could not create directory "{path}": Permission denied',
      '{before}could not access directory "{path}": Permission denied',
      "{before}Can't create/write to file '{path}' (Errcode: 13 - Permission denied)",
      "{before}Can't create/write to file '{path}' (OS errno 13 - Permission denied)",
      '{before}Attempted to create a lock file on a read-only directory: {path}"{rest}',
      "{before}Attempted to create a lock file on a read-only directory: {path}, terminating",
      "{before}Attempted to create a lock file on a read-only directory: {path}",
      "{before}The specified working directory should be fully accessible to the remoting executable (RWX): {path}",
      "GF_PATHS_DATA='{path}' is not writable.{rest}",
    ],
    outlook: "retried",
    cause:
      "A container does not run as root, and the volume at {path} or above it belongs to root, as does every new disk and every directory that the kubelet makes on a node.",
    change: [
      "set fsGroup, where the volume takes it: disks do, hostPaths and most shares do not",
      "let an initContainer that runs as root set the owner",
    ],
  },
  {
    id: "shell-denied",
    component: "program in the container",
    rule: "what bash prints: EACCES of open(2) and execve(2)",
    texts: ["{before}: line {line}: {path}: Permission denied"],
    outlook: "retried",
    cause:
      "A script of the container may not write to {path}, or not run it: the container runs as a user that is not its owner. A new volume belongs to root; what the image brings belongs to the user for whom it was made.",
    change: [
      "in a volume: set fsGroup, where the volume takes it, or let an initContainer that runs as root set the owner",
      "in the image: leave out runAsUser, or name the image's own user",
    ],
  },
  {
    id: "redis-files-not-made",
    component: "program in the container",
    rule: "Redis src/aof.c aofFileAvailable, dirCreateIfMissing, src/rdb.c rdbSave: EACCES of open(2) and mkdir(2)",
    texts: [
      "{before}Can't open the append-only file: Permission denied",
      "{before}Can't open the append-only file {file}: Permission denied",
      "{before}Can't open or create append-only dir {file}: Permission denied",
      "{before}Failed opening the RDB file {file} (in server root dir {directory}) for saving: Permission denied",
      "{before}Failed opening the temp RDB file {file} (in server root dir {directory}) for saving: Permission denied",
    ].flatMap((text) => [text, text.replace("{before}", "")]),
    outlook: "retried",
    cause:
      "Redis may not write to its data directory: the container does not run as root, and a new disk belongs to root, as does a directory that the kubelet makes on a node.",
    change: [
      "set fsGroup, where the volume takes it: disks do, hostPaths and most shares do not",
      "let an initContainer that runs as root set the owner",
    ],
  },
  {
    id: "cookie-open-to-group",
    component: "program in the container",
    rule: "Erlang lib/kernel/src/auth.erl check_cookie1",
    texts: [
      "{before}Cookie file {path} must be accessible by owner only{rest}",
      "Cookie file {path} must be accessible by owner only{rest}",
    ],
    outlook: "retried",
    cause:
      "RabbitMQ refuses its cookie {path}, which others than its owner may read. With fsGroup the kubelet lets the group read and write all files of the volume each time that it mounts it, whoever has closed them before.",
    change: [
      "set fsGroupChangePolicy: OnRootMismatch in the pod's securityContext, and mode 0400 once more",
      "keep the cookie elsewhere, as an emptyDir that an initContainer copies it to with mode 0400",
    ],
  },
  {
    id: "query-log-not-made",
    component: "program in the container",
    rule: "Prometheus promql/query_logger.go NewActiveQueryTracker, the first file that it makes",
    texts: [
      "{before}panic: Unable to create mmap-ed active query log{rest}",
      "panic: Unable to create mmap-ed active query log",
      "{before}open {path}/queries.active: permission denied{rest}",
      "open {path}/queries.active: permission denied",
      "{before}open DB in {path}: open {file}: permission denied{rest}",
    ],
    outlook: "retried",
    cause:
      "Prometheus may not write to its data directory: it runs as nobody (65534) or as the pod says, and a new disk belongs to root, as does a directory that the kubelet makes on a node.",
    change: [
      "set fsGroup (65534 for nobody), where the volume takes it: disks do, hostPaths and most shares do not",
      "let an initContainer that runs as root set the owner",
    ],
  },
  {
    id: "directory-not-entered",
    component: "program in the container",
    rule: "what ls and shells print: stat(2) and chdir(2) ask the mount first, fuse(4) allow_other",
    texts: [
      "{before}ls: cannot access '{path}': Permission denied",
      "{before}ls: can't open '{path}': Permission denied",
      "{before}ls: cannot open directory '{path}': Permission denied",
      "{before}can't cd to {path}: Permission denied",
      "{before}cd: {path}: Permission denied",
    ],
    outlook: "retried",
    cause:
      "A container that does not run as root may not look into {path}. FUSE mounts, such as S3 buckets and Azure Blob containers, let in only root, who mounted them, unless a mount option says otherwise; elsewhere the directory's owner and mode decide.",
    change: [
      "of FUSE: add to the volume's mountOptions allow-other (S3) or -o allow_other (Blob)",
      "elsewhere: set fsGroup, where the volume takes it, or let an initContainer that runs as root set owner and mode",
    ],
  },
  {
    id: "directory-not-closed",
    component: "program in the container",
    rule: "PostgreSQL src/bin/initdb/initdb.c create_data_directory, chmod(2)",
    texts: [
      '{before}could not change permissions of directory "{path}": Operation not permitted{rest}',
      "{before}chmod: changing permissions of '{path}': Operation not permitted{rest}",
      "{before}chmod: {path}: Operation not permitted{rest}",
    ],
    outlook: "retried",
    cause:
      "Only the owner of {path} may change its mode, and it is another's: root's on a new disk, in a part of it that the kubelet makes for subPath and on a hostPath, the server's on a share. fsGroup gives the group and not the owner.",
    change: [
      "let the program make a directory of its own below the mount: PGDATA for PostgreSQL",
      "let an initContainer that runs as root set the owner, or the server on a share",
    ],
  },
  {
    id: "directory-mode-refused",
    component: "program in the container",
    rule: "PostgreSQL src/backend/utils/init/miscinit.c checkDataDir",
    texts: [
      '{before}data directory "{path}" has invalid permissions{rest}',
      '{before}data directory "{path}" has group or world access{rest}',
      '{before}data directory "{path}" has wrong ownership{rest}',
    ],
    outlook: "retried",
    cause:
      "PostgreSQL starts only where {path} is its own user's and closed to others (0700 or 0750). fsGroup opens a volume to its group, and shares have an owner and a mode of their own.",
    change: [
      "let PGDATA name a directory below the mount, which initdb makes itself",
      "leave fsGroup out where the volume is the user's own already, or set fsGroupChangePolicy: OnRootMismatch",
      "of SMB: use a disk, or NFS",
    ],
  },
  {
    id: "directory-of-new-image",
    component: "program in the container",
    rule: "docker-library/postgres docker-entrypoint.sh docker_error_old_databases",
    texts: [
      "{before}in 18+, these Docker images are configured to store database data in a{rest}",
      "{before}there appears to be PostgreSQL data in: {path}",
    ],
    outlook: "retried",
    cause:
      "From version 18 on the image postgres has its data below /var/lib/postgresql, and does not start with a volume at /var/lib/postgresql/data.",
    change: [
      "mount the volume at /var/lib/postgresql; data of an older version need pg_upgrade, or the older image",
      "keep the mount and let PGDATA name a directory in it",
    ],
  },
  {
    id: "directory-not-empty",
    component: "program in the container",
    rule: "what initdb, mysqld --initialize and Kafka print of their data directory",
    texts: [
      '{before}initdb: error: directory "{path}" exists but is not empty{rest}',
      '{before}initdb: directory "{path}" exists but is not empty{rest}',
      "{before}--initialize specified but the data directory has files in it. Aborting.{rest}",
      "{before}Found directory {path}/lost+found, 'lost+found' is not in the form of topic-partition{rest}",
    ],
    outlook: "retried",
    cause:
      "A database wants an empty directory for its data. At the root of a new ext4 volume mkfs has left lost+found.",
    change: [
      "mount a part of the volume: subPath: data",
      "for PostgreSQL: let PGDATA name a directory below the mount",
    ],
  },
  {
    id: "key-open-to-others",
    component: "program in the container",
    rule: "OpenSSH authfile.c sshkey_perm_ok",
    texts: [
      "{before}Permissions {mode} for '{path}' are too open.{rest}",
      "{before}Permissions {mode} for '{path}' are too open.",
    ],
    outlook: "retried",
    cause:
      "ssh refuses a private key that others than its owner may read. Of a Secret it is root's, with the mode 0644 where no mode is written, and a pod's fsGroup may always read it (0400 becomes 0440).",
    change: [
      "where the container runs as root: set defaultMode: 0400, and leave fsGroup out",
      "elsewhere: let an initContainer copy the key to an emptyDir, as the same user, with chmod 0600",
    ],
  },
  {
    id: "sqlite-locked",
    component: "program in the container",
    rule: "SQLite SQLITE_BUSY",
    texts: ["{before}database is locked{rest}", "{before}database is locked"],
    outlook: "retried",
    cause:
      "Another process has locked SQLite's file, or its directory knows no locks as SQLite wants them: SMB (Azure Files), some NFS servers and mounted buckets do not.",
    change: [
      "of a share or bucket: use a disk (ReadWriteOnce), or another database than SQLite",
      "of SMB: add nobrl to mountOptions, where no second pod writes to the file",
      "of a disk: let one pod use the file: replicas: 1, strategy Recreate",
    ],
  },
];
