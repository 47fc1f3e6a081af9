; JSON. The keys of the outermost object, and those of the objects in it: deeper is data.

(document (object (pair key: (string (string_content) @name) value: [(array) (object)] @body) @definition.field))
(document (object (pair key: (string (string_content) @name)) @definition.field))
(document (object (pair value: (object
  (pair key: (string (string_content) @name) value: [(array) (object)] @body) @definition.field))))
(document (object (pair value: (object (pair key: (string (string_content) @name)) @definition.field))))

(comment) @comment
