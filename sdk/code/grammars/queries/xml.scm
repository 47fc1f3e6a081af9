; XML. Elements that have an id or a name.

((element (STag (Attribute (Name) @_id (AttValue) @name)) (content) @body) @definition.other
  (#any-of? @_id "id" "name" "xml:id"))
((element (EmptyElemTag (Attribute (Name) @_id (AttValue) @name))) @definition.other
  (#any-of? @_id "id" "name" "xml:id"))
(GEDecl (Name) @name) @definition.constant

(Comment) @comment
