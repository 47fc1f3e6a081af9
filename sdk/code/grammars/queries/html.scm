; HTML. Elements with an id, and headings.

((element (start_tag (attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name))) . (_) @body)
  @definition.other (#eq? @_id "id"))
((element (start_tag (attribute (attribute_name) @_id (attribute_value) @name)) . (_) @body)
  @definition.other (#eq? @_id "id"))
((element (start_tag (attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name))))
  @definition.other (#eq? @_id "id"))
((element (self_closing_tag (attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name))))
  @definition.other (#eq? @_id "id"))
((element (start_tag (tag_name) @_heading) . (text) @name) @definition.other
  (#any-of? @_heading "title" "h1" "h2" "h3"))

(comment) @comment

((script_element (start_tag (attribute (attribute_name) @_src (quoted_attribute_value (attribute_value) @import))))
  (#eq? @_src "src"))
((start_tag (tag_name) @_link (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @import)))
  (#eq? @_link "link") (#eq? @_href "href"))

((start_tag (tag_name) @reference) (#match? @reference "-"))
((self_closing_tag (tag_name) @reference) (#match? @reference "-"))
